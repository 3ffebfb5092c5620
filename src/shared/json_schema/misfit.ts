/** The way to something in a value: a property or an item, and what it is in. */
export interface Path {
  in: Path | undefined;
  key: string | number;
}

/** How a value does not satisfy a schema, and where in it. */
export interface Misfit {
  path: Path | undefined;
  error: string;
}

/** The first misfit that any of some items has. */
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

/** A path as text: `colours.0.name`. */
export function textOf(path: Path | undefined): string {
  const keys: (string | number)[] = [];
  for (let at = path; at; at = at.in) keys.unshift(at.key);
  return keys.join('.');
}
