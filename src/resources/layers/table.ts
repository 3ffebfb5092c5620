import { text } from 'drizzle-orm/sqlite-core';
import { entityTable, json } from '../../store/columns.ts';
import { kind } from '../../store/kind.ts';
import { holdoutsNaming, keepHoldouts } from '../holdouts/member.ts';
import { overrideReferences } from './overrides.ts';
import { parameterParts } from './parameters.ts';
import type { Layer } from './schema.ts';

export const layerTable = entityTable(
  'layers',
  {
    name: text().notNull(),
    description: text().notNull(),
    idType: text().notNull(),
    parameters: json<Layer['parameters']>(),
    targetApps: json<Layer['targetApps']>(),
    holdoutIDs: json<Layer['holdoutIDs']>(),
    tags: json<Layer['tags']>(),
    team: text(),
    overrides: json<Layer['overrides']>(),
  },
  { filters: ['idType'] },
);

export const layers = kind<Layer>({
  kind: 'layer',
  title: 'Layer',
  table: layerTable,
  labels: ({ tags, targetApps }) => ({ tags, targetApps }),
  totals: [['idType', 'team']],
  references: overrideReferences,
  parts: ({ id, parameters }) => parameterParts(id, parameters),
  standing: holdoutsNaming('layer', 'layerIDs'),
  restored: keepHoldouts,
});
