/** Returns the type of a JSON value; no parameter has the type `null`. */
export function typeOfValue(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/** An object whose values have not been checked. */
export type ReadonlyRecord = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** Returns the value if it is an object or an array, and an empty object otherwise. */
export const recordOf = (value: unknown): Record<string, unknown> => (isRecord(value) ? value : {});

/** Returns a member of an object, an array or a function by its key; undefined for other values. */
export const memberOf = (value: unknown, key: PropertyKey): unknown =>
  isRecord(value) || typeof value === 'function' ? Reflect.get(value, key) : undefined;
