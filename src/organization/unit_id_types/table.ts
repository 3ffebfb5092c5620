import { nameKind } from '../../model/define_kind.ts';
import { nameTable } from '../../platform/store/sql/columns.ts';
import type { UnitIDType } from './schema.ts';

export const unitIdTypeTable = nameTable('unit_id_types');

export const unitIdTypes = nameKind<UnitIDType>({
  kind: 'unit_id_type',
  title: 'Unit id type',
  table: unitIdTypeTable,
  idOf: ({ name }) => name,
});
