import type * as z from 'zod';
import type { Draft } from '../../store/terms.ts';
import type { AssignmentSource, sourceCreate } from './schema.ts';

const empty = {
  description: '',
  tags: [],
  sql: '',
  timestampColumn: '',
  groupIDColumn: '',
  experimentIDColumn: '',
  idTypeMapping: [],
};

/** A new assignment source from the body of its creation. */
export const newSource = (body: z.infer<typeof sourceCreate>): Draft<AssignmentSource> => ({
  ...empty,
  ...body,
  id: body.name,
});
