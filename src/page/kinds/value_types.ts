import type { FieldSpec } from '../recipe/kind.ts';
import type { Layer } from '../types.ts';

type ValueType = Layer['parameters'][number]['type'];

/** The types of a parameter's value. */
export const valueTypes: Record<ValueType, string> = {
  boolean: 'Boolean',
  string: 'Text',
  number: 'Number',
  object: 'Object',
  array: 'List',
};

/** The list column of parameter names. */
export const parametersColumn = {
  title: 'Parameters',
  render: ({ parameters }: { parameters: { name: string }[] }) =>
    parameters.map(({ name }) => name).join(', ') || 'none',
};

/** The input of each type. */
export const valueFields: Record<ValueType, NonNullable<FieldSpec['as']>> = {
  boolean: 'value',
  string: 'long',
  number: 'number',
  object: 'json',
  array: 'json',
};

/** The initial value of each type. */
export const emptyValues = { boolean: false, string: '', number: 0, object: {}, array: [] };
