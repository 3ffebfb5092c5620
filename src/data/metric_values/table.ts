import {
  check,
  index,
  integer,
  primaryKey,
  real,
  sqliteTable,
  text,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core';
import { json } from '../../platform/store/sql/columns.ts';
import { holdJSON } from '../../platform/store/sql/expressions.ts';
import type { MetricValue } from './schema.ts';

export const metricValueTable = sqliteTable(
  'metric_values',
  {
    date: text().notNull(),
    position: integer().notNull(),
    metricName: text().notNull(),
    metricType: text().$type<MetricValue['metricType']>().notNull(),
    unitType: text().notNull(),
    value: real().notNull(),
    numerator: real(),
    denominator: real(),
  },
  (table) => [
    primaryKey({ columns: [table.date, table.position] }),
    uniqueIndex('metric_values_metric').on(
      table.date,
      table.metricName,
      table.metricType,
      table.unitType,
    ),
    index('metric_values_name').on(table.metricName, table.date, table.position),
    index('metric_values_type').on(table.metricType, table.date, table.position),
  ],
);

export const valueCountTable = sqliteTable(
  'metric_value_counts',
  {
    year: text().primaryKey(),
    counts: json<Record<string, number>>(),
  },
  () => [check('metric_value_counts_counts_json', holdJSON('counts'))],
);
