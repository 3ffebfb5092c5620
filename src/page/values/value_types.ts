import type { FieldSpec } from '../entity/kind.ts';
import type { ValueType } from './value_type.ts';

export const valueTypes: Record<ValueType, string> = {
  boolean: 'Yes or no',
  string: 'Text',
  number: 'Number',
  object: 'Object',
  array: 'List',
};

export const parametersColumn = {
  title: 'Parameters',
  render: ({ parameters }: { parameters: { name: string }[] }) =>
    parameters.map(({ name }) => name).join(', ') || 'none',
};

export const valueFields: Record<ValueType, NonNullable<FieldSpec['as']>> = {
  boolean: 'value',
  string: 'long',
  number: 'number',
  object: 'json',
  array: 'json',
};
