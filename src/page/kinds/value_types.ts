import type { FieldSpec } from '../recipe/kind.ts';
import type { Layer } from '../types.ts';

type ValueType = Layer['parameters'][number]['type'];

/** The types that the value of a parameter can have. */
export const valueTypes: Record<ValueType, string> = {
  boolean: 'Yes or no',
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

/** How a value of a type is typed in. */
export function valueField(type: ValueType): FieldSpec['as'] {
  if (type === 'number') return type;
  return type === 'object' || type === 'array' ? 'json' : 'value';
}
