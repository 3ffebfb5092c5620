import { integer, primaryKey, real, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';

/** One value of a metric for a unit type and a day; `position` is dense within the day, so that any page is found at once. */
export const metricValueTable = sqliteTable(
  'metric_values',
  {
    /** YYYY-MM-DD. */
    date: text().notNull(),
    position: integer().notNull(),
    metricName: text().notNull(),
    metricType: text().notNull(),
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
  ],
);
