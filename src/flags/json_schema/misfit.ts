export interface MisfitPath {
  in: MisfitPath | undefined;
  key: string | number;
}

export interface SchemaMisfit {
  path: MisfitPath | undefined;
  error: string;
}

/** Returns the first fault of some items. */
export function first<T>(
  items: readonly T[],
  find: (item: T) => SchemaMisfit | undefined,
): SchemaMisfit | undefined {
  for (const item of items) {
    const found = find(item);
    if (found) return found;
  }
  return undefined;
}

/** Returns a path as text: `colours.0.name`. */
export function misfitText(path: MisfitPath | undefined): string {
  const keys: (string | number)[] = [];
  for (let at = path; at; at = at.in) keys.unshift(at.key);
  return keys.join('.');
}
