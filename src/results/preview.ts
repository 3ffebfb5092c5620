import type { Context } from 'hono';
import type * as z from 'zod';
import { closedDay, dayOf } from '../analysis/days.ts';
import { estimationOf, isDaily } from '../analysis/estimate.ts';
import { isPlanned, planMetric } from '../analysis/plan/metric.ts';
import type { MetricPlan, NoPlan } from '../analysis/plan/plan.ts';
import { readMetrics } from '../analysis/plans.ts';
import { type Days, extentOf } from '../analysis/sql/active.ts';
import type { Service } from '../env.ts';
import { begin } from '../http/transact.ts';
import { newMetric } from '../resources/metrics/metric.ts';
import type { MetricDefinition, metricCreate } from '../resources/metrics/schema.ts';
import { dayLength } from '../shared/durations.ts';
import { metricID } from '../shared/naming.ts';
import { storedUnitType } from '../shared/unit_types.ts';
import type { Database } from '../store/sql/database.ts';
import type { metricPreview } from './preview_schema.ts';
import { dateOf } from './runs.ts';
import { notUsed } from './warnings.ts';

const previewDays = 14;

/** Returns the last whole days that are over. */
export function lastDays(count: number, now = Date.now()): Days {
  const to = (closedDay(now) + 1) * dayLength;
  return { from: to - count * dayLength, to };
}

/** Returns the first and the last day of a period. */
export const datesOf = ({ from, to }: Days) => ({
  from: dateOf(dayOf(from)),
  to: dateOf(dayOf(to - 1)),
});

/** Returns new units a day of a period that events cover in part. */
export const perDay = (units: number, covered: number): number => units / (covered / dayLength);

const eachDay = ({ from, to }: Days): Days[] =>
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

async function measure(db: Database, plan: MetricPlan, unitType: string, days: Days) {
  const whole = estimationOf(plan, unitType, days);
  const singleDays = isDaily(plan) ? eachDay(days) : [];
  const daily = singleDays.map((one) => estimationOf(plan, unitType, one));
  const [rows = [], ...rowsOfDays] = await db.batch(
    whole.statement,
    ...daily.map(({ statement }) => statement),
  );
  return {
    extent: extentOf(rows, days),
    estimate: whole.estimate(rows),
    daily: singleDays.map((one, index) => ({
      ds: dateOf(dayOf(one.from)),
      units: extentOf(rowsOfDays[index] ?? [], one).units,
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
  const { author } = begin(c, true);
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
