import { text } from 'drizzle-orm/sqlite-core';
import { metricID, metricReferencesTo } from '../../base/naming.ts';
import { kind } from '../../model/define_kind.ts';
import { boolean, entityTable, json, type TableRow } from '../../platform/store/sql/columns.ts';
import { directions, type Metric, metricTypes } from './schema.ts';

export const metricTable = entityTable(
  'metrics',
  {
    name: text().notNull(),
    directionality: text({ enum: directions }).notNull(),
    type: text({ enum: metricTypes }).notNull(),
    description: text().notNull(),
    isPermanent: boolean(),
    isReadOnly: boolean(),
    isHidden: boolean(),
    isVerified: boolean(),
    tags: json<Metric['tags']>(),
    owner: json<Metric['owner']>(),
    team: text().notNull(),
    teamID: text(),
    unitTypes: json<Metric['unitTypes']>(),
    metricEvents: json<Metric['metricEvents']>(),
    metricComponentMetrics: json<Metric['metricComponentMetrics']>(),
    funnelEventList: json<Metric['funnelEventList']>(),
    settings: json<TableRow<Metric>['settings']>(),
  },
  { filters: ['type'] },
);

export const metrics = kind<Metric>({
  kind: 'metric',
  title: 'Metric',
  table: metricTable,
  list: {
    labels: ({ tags }) => ({ tags }),
    totals: [['type'], ['team', 'teamID']],
  },
  refs: {
    outgoing: ({ metricComponentMetrics }) =>
      metricReferencesTo('metricComponentMetrics', metricComponentMetrics),
  },
  idOf: metricID,
});
