import type { FieldSpec } from '../recipe/kind.ts';
import type { Layer } from '../types.ts';

type ValueType = Layer['parameters'][number]['type'];

/** The types that the value of a parameter can have. */
export const valueTypes: Record<ValueType, string> = {
  boolean: 'Boolean',
  string: 'Text',
  number: 'Number',
  object: 'Object',
  array: 'List',
};

/** The names of parameters, for a list. */
export const parametersColumn = {
  title: 'Parameters',
  render: ({ parameters }: { parameters: { name: string }[] }) =>
    parameters.map(({ name }) => name).join(', ') || 'none',
};

/** How a value of each type is typed in. */
export const valueFields: Record<ValueType, NonNullable<FieldSpec['as']>> = {
  boolean: 'value',
  string: 'long',
  number: 'number',
  object: 'json',
  array: 'json',
};

/** What a value of each type is at first. */
export const emptyValues = { boolean: false, string: '', number: 0, object: {}, array: [] };
