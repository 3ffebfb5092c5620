import { typeOfValue } from '../../base/value_types.ts';
import { readNumber } from '../base/json_text.ts';
import { emptyValues } from './empty_values.ts';

export type ValueType = keyof typeof emptyValues;

const isType = (name: string): name is ValueType => Object.hasOwn(emptyValues, name);

/** Returns the type of the first value that is set; text without any. */
export function typeOfAll(values: readonly unknown[]): ValueType {
  const first = values.find((value) => value !== undefined && value !== null);
  const type = typeOfValue(first);
  return isType(type) ? type : 'string';
}

export const typeNamed = (name: string): ValueType => (isType(name) ? name : 'string');

/** Returns a value as another type: texts and numbers are converted, others become empty. */
export function convert(value: unknown, type: ValueType): unknown {
  if (typeOfValue(value) === type) return value;
  if (type === 'string' && ['number', 'boolean'].includes(typeof value)) return String(value);
  const number = type === 'number' && typeof value === 'string' ? readNumber(value) : undefined;
  return typeof number === 'number' ? number : emptyValues[type];
}

/** Returns why a value does not fit the type of its row; undefined if it does. */
export function faultOfValue(value: unknown, type: ValueType): string | undefined {
  if (value === undefined || typeOfValue(value) === type) return undefined;
  if (type !== 'number') return undefined;
  const bare = typeof value === 'string' ? value.replaceAll(/[\s_]/g, '') : '';
  const number = bare === '' ? undefined : readNumber(bare);
  return typeof number === 'number'
    ? `enter a number without spaces, such as ${number}.`
    : 'enter a number.';
}

/** Describes an object or a list, such as "{ 2 fields }". */
export function sizeInWords(value: unknown): string {
  if (Array.isArray(value)) return `[ ${value.length} ${value.length === 1 ? 'item' : 'items'} ]`;
  const { length } = Object.keys(value ?? {});
  return `{ ${length} ${length === 1 ? 'field' : 'fields'} }`;
}
