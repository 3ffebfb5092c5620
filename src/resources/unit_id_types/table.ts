import { text } from 'drizzle-orm/sqlite-core';
import { entityTable } from '../../store/columns.ts';
import { nameKind } from '../../store/kind.ts';
import type { UnitIDType } from './schema.ts';

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
