import type { Layer } from '../types.ts';

/** The types that the value of a parameter can have. */
export const valueTypes: Record<Layer['parameters'][number]['type'], string> = {
  boolean: 'Yes or no',
  string: 'Text',
  number: 'Number',
  object: 'Object',
  array: 'List',
};
