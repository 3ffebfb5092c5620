import { integer, text } from 'drizzle-orm/sqlite-core';
import { ruleReferences } from '../../shared/rules.ts';
import { entityTable, json } from '../../store/columns.ts';
import { kind } from '../../store/kind.ts';
import { type Segment, segmentTypes } from './schema.ts';
import { withIDs } from './segment.ts';

export const segmentTable = entityTable(
  'segments',
  {
    name: text().notNull(),
    description: text().notNull(),
    idType: text().notNull(),
    type: text({ enum: segmentTypes }).notNull(),
    rules: json<Segment['rules']>(),
    tags: json<Segment['tags']>(),
    targetApps: json<Segment['targetApps']>(),
    team: text(),
    teamID: text(),
    count: integer().notNull(),
    ids: json<Segment['ids']>(),
  },
  { filters: ['type'] },
);

export const segments = kind<Segment>({
  kind: 'segment',
  title: 'Segment',
  table: segmentTable,
  unlisted: { ids: [] },
  labels: ({ tags, targetApps }) => ({ tags, targetApps }),
  totals: [['type', 'idType'], ['teamID'], ['team', 'teamID']],
  references: ({ rules }) => ruleReferences(rules),
  restored: (snapshot) => withIDs(snapshot, snapshot.ids),
});
