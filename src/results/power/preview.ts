import type { Context } from 'hono';
import type * as z from 'zod';
import { closedDay } from '../../analysis/base/days.ts';
import { isPlanned, planMetric } from '../../analysis/plan/metric.ts';
import type { MetricPlan, NoPlan } from '../../analysis/plan/plan.ts';
import { estimationOf, isDaily } from '../../analysis/read/estimate.ts';
import { type DayRange, extentOfRead } from '../../analysis/sql/active.ts';
import { readMetrics } from '../../analysis/work/plans.ts';
import { metricID } from '../../base/naming.ts';
import { dateOfDay, dayLength, dayOfTime } from '../../base/time.ts';
import { storedUnitType } from '../../base/unit_types.ts';
import { newMetric } from '../../data/metrics/metric.ts';
import type { MetricDefinition, metricCreate } from '../../data/metrics/schema.ts';
import type { Service } from '../../platform/env.ts';
import { beginTransaction } from '../../platform/http/transact.ts';
import type { Database } from '../../platform/store/sql/database.ts';
import { notUsed } from '../scorecard/rules/warnings.ts';
import type { metricPreview } from './preview_schema.ts';

const previewDays = 14;

/** Returns the last whole days that are over. */
export function lastDays(count: number, now = Date.now()): DayRange {
  const to = (closedDay(now) + 1) * dayLength;
  return { from: to - count * dayLength, to };
}

/** Returns the first and the last day of a period. */
export const datesOf = ({ from, to }: DayRange) => ({
  from: dateOfDay(dayOfTime(from)),
  to: dateOfDay(dayOfTime(to - 1)),
});

/** Returns new units a day of a period that events cover in part. */
export const perDay = (units: number, covered: number): number => units / (covered / dayLength);

const eachDay = ({ from, to }: DayRange): DayRange[] =>
  Array.from({ length: (to - from) / dayLength }, (_, day) => ({
    from: from + day * dayLength,
    to: from + (day + 1) * dayLength,
  }));

/** Returns how metrics are computed for units without attributes. */
export const planFor = (
  metric: MetricDefinition,
  unitType: string,
  find: (id: string) => MetricDefinition | undefined,
): MetricPlan | NoPlan =>
  planMetric(metric, {
    ...{ unitType, find },
    ...{ dimensions: [], cohortDays: null, waitsForCohort: false },
  });

async function measure(db: Database, plan: MetricPlan, unitType: string, days: DayRange) {
  const whole = estimationOf(plan, unitType, days);
  const singleDays = isDaily(plan) ? eachDay(days) : [];
  const daily = singleDays.map((one) => estimationOf(plan, unitType, one));
  const [rows = [], ...rowsOfDays] = await db.batch(
    whole.statement,
    ...daily.map(({ statement }) => statement),
  );
  return {
    extent: extentOfRead(rows, days),
    estimate: whole.estimate(rows),
    daily: singleDays.map((one, index) => ({
      ds: dateOfDay(dayOfTime(one.from)),
      units: extentOfRead(rowsOfDays[index] ?? [], one).units,
      value: daily[index]?.estimate(rowsOfDays[index] ?? []).value ?? null,
    })),
  };
}

const nothing = {
  ...{ units: 0, unitsPerDay: 0, isPartial: false, value: null, baseline: null, steps: null },
  ...{ skippedEvents: 0, days: [], warnings: [] },
};

/** Returns the values of a metric, among units with an event in 14 days. At most 4 round trips. @throws Problem 400 */
export async function previewMetric(
  c: Context<Service>,
  body: z.output<typeof metricCreate>,
): Promise<z.output<typeof metricPreview>> {
  const db = c.get('db');
  const { author } = beginTransaction(c, true);
  const metric = newMetric(body, author);
  const components = metric.metricComponentMetrics.map(metricID);
  const found = await readMetrics({ db, now: author.time }, components);
  const unitType = storedUnitType(metric.unitTypes[0] ?? 'userID');
  const days = lastDays(previewDays, author.time);
  const common = { ...nothing, ...datesOf(days), unitType };
  const plan = planFor(metric, unitType, (id) => found.get(id));
  if (!isPlanned(plan)) return { ...common, reason: plan.reason, reasonDetail: plan.detail };
  const { extent, estimate, daily } = await measure(db, plan, unitType, days);
  const { value, baseline, steps, skipped, reason } = estimate;
  const events = plan.type === 'funnel' ? plan.steps.map(({ event }) => event) : [];
  return {
    ...common,
    units: extent.units,
    unitsPerDay: perDay(extent.units, extent.covered),
    isPartial: extent.isPartial,
    ...{ value, baseline, days: daily },
    steps: steps && events.map((event, step) => ({ event, count: steps[step] ?? 0 })),
    skippedEvents: skipped,
    warnings: plan.unused.map(notUsed),
    reason: extent.units === 0 ? 'no_units' : reason,
    reasonDetail: null,
  };
}
