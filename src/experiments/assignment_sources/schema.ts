import * as z from 'zod';
import { description, name, stamps, stampsExample, strings, tags } from '../../base/fields.ts';
import { limits } from '../../base/limits.ts';

export const idTypeMapping = z
  .array(
    z
      .object({ serviceUnitID: z.string().trim(), column: z.string() })
      .meta({ id: 'IDTypeMapping' }),
  )
  .max(limits.entries);

const example = {
  name: 'warehouse_assignments',
  description: 'Assignments written by the shop itself.',
  tags: ['core'],
  sql: 'SELECT ts, group_id, experiment_id, user_id FROM assignments',
  timestampColumn: 'ts',
  groupIDColumn: 'group_id',
  experimentIDColumn: 'experiment_id',
  idTypeMapping: [{ serviceUnitID: 'userID', column: 'user_id' }],
};

export const assignmentSourceResponse = z
  .object({
    name: z.string(),
    description: z.string(),
    tags: strings,
    sql: z.string(),
    timestampColumn: z.string(),
    groupIDColumn: z.string(),
    experimentIDColumn: z.string(),
    idTypeMapping,
    ...stamps,
  })
  .meta({ id: 'AssignmentSource', examples: [{ ...example, ...stampsExample }] });

export const storedAssignmentSource = assignmentSourceResponse.extend({ id: z.string() });

export type AssignmentSource = z.infer<typeof storedAssignmentSource>;

export const assignmentSourcePatch = z
  .object({
    description,
    tags,
    sql: z.string(),
    timestampColumn: z.string(),
    groupIDColumn: z.string(),
    experimentIDColumn: z.string(),
    idTypeMapping,
  })
  .partial()
  .meta({ id: 'AssignmentSourcePatch', examples: [{ tags: ['core', 'reviewed'] }] });

export const assignmentSourceCreate = assignmentSourcePatch
  .extend({ name })
  .meta({ id: 'AssignmentSourceCreate', examples: [example] });
