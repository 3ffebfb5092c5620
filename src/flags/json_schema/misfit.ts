export interface Path {
  in: Path | undefined;
  key: string | number;
}

export interface Misfit {
  path: Path | undefined;
  error: string;
}

/** Returns the first fault of some items. */
export function first<T>(
  items: readonly T[],
  find: (item: T) => Misfit | undefined,
): Misfit | undefined {
  for (const item of items) {
    const found = find(item);
    if (found) return found;
  }
  return undefined;
}

/** Returns a path as text: `colours.0.name`. */
export function textOf(path: Path | undefined): string {
  const keys: (string | number)[] = [];
  for (let at = path; at; at = at.in) keys.unshift(at.key);
  return keys.join('.');
}
