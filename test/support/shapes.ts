import { isObject } from '../../src/base/value_types.ts';

/** Returns the properties of an object schema of zod; none for any other value. */
export const shapeOf = (schema: unknown): object =>
  isObject(schema) && isObject(schema.shape) ? schema.shape : {};

/** Returns a value if it is an object or array, and an empty object otherwise. */
export const objectOf = (value: unknown): object =>
  typeof value === 'object' && value !== null ? value : {};
