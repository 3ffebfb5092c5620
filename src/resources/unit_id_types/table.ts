import { text } from 'drizzle-orm/sqlite-core';
import type * as z from 'zod';
import { entityTable } from '../../store/columns.ts';
import { nameKind } from '../../store/kind.ts';
import type { UnitIDType, unitIdTypeCreate } from './schema.ts';

export const unitIdTypeTable = entityTable('unit_id_types', {
  name: text().notNull(),
  description: text().notNull(),
});

export const unitIdTypes = nameKind<UnitIDType>({
  kind: 'unit_id_type',
  title: 'Unit id type',
  table: unitIdTypeTable,
  idOf: ({ name }) => name,
});

/** A unit id type from the body of its registration; of one that is only used, its name is all there is. */
export const newUnitIDType = ({ name, ...given }: z.infer<typeof unitIdTypeCreate>) => ({
  id: name,
  name,
  description: '',
  ...given,
});
