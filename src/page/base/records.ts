import { isObject } from '../../base/value_types.ts';

/** Returns a value with unknown properties; empty if it is not an object. */
export const recordOf = (value: unknown): Record<string, unknown> => (isObject(value) ? value : {});
