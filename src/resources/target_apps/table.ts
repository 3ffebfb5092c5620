import { text } from 'drizzle-orm/sqlite-core';
import type * as z from 'zod';
import { entityTable } from '../../store/columns.ts';
import { nameKind } from '../../store/kind.ts';
import type { TargetApp, targetAppCreate } from './schema.ts';

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

/** A target app from the body of its registration; of one that is only used, its name is all there is. */
export const newTargetApp = ({ name, ...given }: z.infer<typeof targetAppCreate>) => ({
  id: name,
  name,
  description: '',
  ...given,
});
