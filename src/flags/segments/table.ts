import { integer, text } from 'drizzle-orm/sqlite-core';
import { kind } from '../../model/define_kind.ts';
import { entityTable, json } from '../../platform/store/sql/columns.ts';
import { ruleReferences } from '../rules/rules.ts';
import { type Segment, segmentStatuses, segmentTypes } from './schema.ts';

const whileArchived = {
  column: 'status',
  value: 'archived',
  visible: "status <> 'archived'",
  onlyHidden: 'status',
};

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
    status: text({ enum: segmentStatuses }).notNull(),
  },
  { filters: ['type', 'status'], visible: whileArchived.visible },
);

export const segments = kind<Segment>({
  kind: 'segment',
  title: 'Segment',
  table: segmentTable,
  list: {
    hidden: whileArchived,
    omitted: { ids: [] },
    labels: ({ tags, targetApps }) => ({ tags, targetApps }),
    totals: [['type', 'status', 'idType'], ['teamID'], ['team', 'teamID']],
  },
  refs: {
    outgoing: ({ rules }) => ruleReferences(rules),
    referable: ({ status }) => status !== 'archived',
  },
});
