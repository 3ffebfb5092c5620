/** The type of a JSON value, as parameters name theirs; `null` is one that no parameter has. */
export function typeOfValue(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
