import { text } from 'drizzle-orm/sqlite-core';
import { entityTable, json } from '../../platform/store/sql/columns.ts';
import type { Layer } from './schema.ts';

export const layerTable = entityTable(
  'layers',
  {
    name: text().notNull(),
    description: text().notNull(),
    idType: text().notNull(),
    targetApps: json<Layer['targetApps']>(),
    holdoutIDs: json<Layer['holdoutIDs']>(),
    tags: json<Layer['tags']>(),
    parameters: json<Layer['parameters']>(),
    team: text(),
    overrides: json<Layer['overrides']>(),
  },
  { filters: ['idType'] },
);
