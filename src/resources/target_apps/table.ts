import { text } from 'drizzle-orm/sqlite-core';
import { entityTable } from '../../store/columns.ts';
import { nameKind } from '../../store/kind.ts';
import type { TargetApp } from './schema.ts';

export const targetAppTable = entityTable('target_apps', {
  name: text().notNull(),
  description: text().notNull(),
});

export const targetApps = nameKind<TargetApp>({
  kind: 'target_app',
  title: 'Target app',
  table: targetAppTable,
  idOf: ({ name }) => name,
});
