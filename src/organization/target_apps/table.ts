import { nameKind } from '../../model/define_kind.ts';
import { nameTable } from '../../platform/store/sql/columns.ts';
import type { TargetApp } from './schema.ts';

export const targetAppTable = nameTable('target_apps');

export const targetApps = nameKind<TargetApp>({
  kind: 'target_app',
  title: 'Target app',
  table: targetAppTable,
  idOf: ({ name }) => name,
});
