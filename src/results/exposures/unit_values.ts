import { sql } from 'drizzle-orm';
import * as z from 'zod';
import { unitValues } from '../../analysis/base/table.ts';
import type { Upload } from '../../analysis/work/uploads.ts';
import { distinct, lastOfEach } from '../../base/distinct.ts';
import { addressableName, displayName } from '../../base/fields.ts';
import { maxMagnitude } from '../../base/limits.ts';
import { metricID } from '../../base/naming.ts';
import { Problem, type PropertyError } from '../../base/problem.ts';
import { report } from '../../base/report.ts';
import { dayOfDate, startOfDay } from '../../base/time.ts';
import { day } from '../../base/time_fields.ts';
import { storedUnitType } from '../../base/unit_types.ts';
import { metricType } from '../../data/metrics/schema.ts';
import { metrics } from '../../data/metrics/table.ts';
import type { Transaction } from '../../platform/store/core/transaction.ts';
import { insertRows, overRows } from '../../platform/store/sql/rows.ts';
import { statement } from '../../platform/store/sql/statement.ts';

const number = z.number().min(-maxMagnitude).max(maxMagnitude).nullable().optional();

const unitValue = z
  .object({
    metricName: displayName(1, 200),
    metricType,
    unitType: addressableName,
    unitID: z.string().min(1).max(256),
    value: number,
    numerator: number,
    denominator: number,
  })
  .superRefine(({ value, numerator, denominator }, context) => {
    const [hasNumerator, hasDenominator] = [numerator ?? null, denominator ?? null].map(
      (given) => given !== null,
    );
    if (hasNumerator && !hasDenominator)
      report(context, 'is required with numerator', 'denominator');
    else if (hasDenominator && !hasNumerator)
      report(context, 'is required with denominator', 'numerator');
    else if (!hasNumerator && (value ?? null) === null)
      report(context, 'is required without numerator and denominator', 'value');
  });

const pastDay = day
  .refine((date) => date >= '1970-01-01', 'must not be before 1970-01-01')
  .refine((date) => startOfDay(date) <= Date.now(), 'must not be in the future');

export const unitValuesImport = z
  .object({ date: pastDay, values: z.array(unitValue).min(1).max(1000) })
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

type UnitValueRows = z.output<typeof unitValuesImport>['values'];

const idOf = ({ metricName: name, metricType: type }: UnitValueRows[number]) =>
  metricID({ name, type });

async function requireMetrics(tx: Transaction, values: UnitValueRows): Promise<void> {
  const found = await tx.findMany(metrics, distinct(values.map(idOf)));
  const typesOf = new Map(found.map(({ id, unitTypes }) => [id, unitTypes]));
  const faults = values.flatMap((given, index): PropertyError[] => {
    const types = typesOf.get(idOf(given));
    const fault = (property: string, errorMessage: string) => [
      { property: `values.${index}.${property}`, errorMessage },
    ];
    if (!types)
      return fault(
        'metricName',
        `must be the name of an existing metric of type ${given.metricType}`,
      );
    return types.map(storedUnitType).includes(storedUnitType(given.unitType))
      ? []
      : fault('unitType', `must be an ID type of the metric: ${types.join(', ')}`);
  });
  if (faults.length > 0) throw Problem.invalid(faults);
}

/** Stages the import of values of units, which replace earlier ones. @throws Problem 400 naming an unknown metric or ID type */
export async function importUnitValues(
  tx: Transaction,
  { date, values }: z.output<typeof unitValuesImport>,
): Promise<void> {
  await requireMetrics(tx, values);
  const rows = values.map((given) => ({
    metricName: given.metricName,
    metricType: given.metricType,
    unitType: storedUnitType(given.unitType),
    unit: given.unitID,
    ds: dayOfDate(date),
    value: given.value ?? null,
    numerator: given.numerator ?? null,
    denominator: given.denominator ?? null,
  }));
  const last = lastOfEach(rows, (row) => [row.metricName, row.metricType, row.unitType, row.unit]);
  const upload: Upload = {
    date,
    metrics: distinct(values.map(idOf)),
    unitTypes: distinct(rows.map(({ unitType }) => unitType)),
  };
  const summary = { ...upload, accepted: values.length };
  tx.loggedRows.push({ kind: 'unit_values', statements: upsert(last), summary });
}
