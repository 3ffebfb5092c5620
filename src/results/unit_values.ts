import { sql } from 'drizzle-orm';
import * as z from 'zod';
import { unitValues } from '../analysis/table.ts';
import { metricType } from '../resources/metrics/schema.ts';
import { day } from '../shared/days.ts';
import { lastOfEach } from '../shared/distinct.ts';
import { addressableName, displayName } from '../shared/fields.ts';
import { storedUnitType } from '../shared/unit_types.ts';
import type { Transaction } from '../store/core/transaction.ts';
import { insertRows, overRows } from '../store/sql/rows.ts';
import { statement } from '../store/sql/statement.ts';
import { dayNumber } from './runs.ts';

const unitValue = z.object({
  metricName: displayName(1, 200),
  metricType,
  unitType: addressableName,
  unitID: z.string().min(1).max(256),
  value: z.number().nullable().optional(),
  numerator: z.number().nullable().optional(),
  denominator: z.number().nullable().optional(),
});

export const unitValuesImport = z
  .object({ date: day, values: z.array(unitValue).min(1).max(1000) })
  .meta({
    id: 'UnitValuesImport',
    examples: [
      {
        date: '2026-01-01',
        values: [
          {
            metricName: 'Revenue',
            metricType: 'sum',
            unitType: 'userID',
            unitID: 'u-1',
            value: 12.5,
          },
        ],
      },
    ],
  });

const upsert = overRows((given) =>
  statement(sql`
    ${insertRows(unitValues, given)}
    on conflict (metricName, metricType, unitType, unit, ds) do update set
      value = excluded.value, numerator = excluded.numerator, denominator = excluded.denominator`),
);

/** Stages the import of values of units; a value of the same metric, unit and day is replaced. */
export function importUnitValues(
  tx: Transaction,
  { date, values }: z.output<typeof unitValuesImport>,
): void {
  const rows = values.map((given) => ({
    metricName: given.metricName,
    metricType: given.metricType,
    unitType: storedUnitType(given.unitType),
    unit: given.unitID,
    ds: dayNumber(date),
    value: given.value ?? null,
    numerator: given.numerator ?? null,
    denominator: given.denominator ?? null,
  }));
  const last = lastOfEach(rows, (row) => [row.metricName, row.metricType, row.unitType, row.unit]);
  const summary = { date, accepted: values.length };
  tx.loggedRows.push({ kind: 'unit_values', statements: upsert(last), summary });
}
