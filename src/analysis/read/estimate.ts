import type { SQL } from 'drizzle-orm';
import type { Baseline } from '../../engine/statistics/power.ts';
import type { Statement } from '../../platform/store/sql/statement.ts';
import { noProgress } from '../base/progress.ts';
import { needsLimits } from '../base/quantiles.ts';
import { slicedValues, withExtremes, withLimits, withMoments } from '../day/chunks.ts';
import { baselineIn, comparedMoments, hasNoDenominator } from '../day/pair.ts';
import { type Reader, readerOf } from '../day/reading.ts';
import type { FunnelPlan, MetricPlan, UnitsPlan } from '../plan/plan.ts';
import { type ActiveRow, type DayRange, readActiveUnits, readPercentile } from '../sql/active.ts';

interface Estimate {
  value: number | null;
  baseline: Baseline | null;
  steps: number[] | null;
  skipped: number;
  reason: 'zero_denominator' | 'too_few_units' | null;
}

interface Estimation {
  statement: Statement<ActiveRow>;
  estimate(rows: readonly ActiveRow[]): Estimate;
}

type ReadPlan = UnitsPlan | FunnelPlan;

function estimateReader(plan: ReadPlan, unitType: string, { from, to }: DayRange): Reader {
  const settings = { maturesAfterEnd: false, fixedDays: null, analysisEnd: null };
  const analysis = { unitType, start: from, endTime: null, settings };
  const present =
    plan.type === 'funnel' ? { ...plan, bakeDays: 0 } : { ...plan, bakeDays: 0, pastDays: null };
  return readerOf(present, { analysis, end: to }, -1);
}

const group = 'all';

function estimateOf(
  plan: ReadPlan,
  { read }: Pick<Reader, 'read'>,
  rows: readonly ActiveRow[],
): Estimate {
  const readings = rows.flatMap(({ unit, time, raw }) => {
    const own = { unit, group, time, attributes: {} };
    const reading = read(own, raw);
    return reading ? [{ unit: own, reading }] : [];
  });
  const units = readings.length;
  const day = { units, dimensions: [], slices: new Map() };
  const values = slicedValues(day, readings);
  const begun = noProgress('');
  const limited = needsLimits(plan, units)
    ? withLimits(withExtremes(begun, plan, values, day), plan)
    : begun;
  const [cell] = withMoments(limited, plan, values).cells;
  const baseline = baselineIn(cell, plan) ?? null;
  const isUndefined = hasNoDenominator(cell, plan);
  const reason = isUndefined ? 'zero_denominator' : 'too_few_units';
  return {
    value: cell && !isUndefined ? comparedMoments(cell, plan).meanY : null,
    baseline,
    reason: baseline ? null : reason,
    steps: plan.type === 'funnel' ? (cell?.steps ?? plan.steps.map(() => 0)) : null,
    skipped: cell?.skipped ?? 0,
  };
}

/** Returns the statement of an estimate, and how to read it; `more` are further columns of each unit, at the end. */
export function estimationOf(
  plan: MetricPlan,
  unitType: string,
  days: DayRange,
  more: readonly SQL[] = [],
): Estimation {
  if (plan.type === 'percentile')
    return {
      statement: readPercentile(plan, unitType, days),
      estimate([row]) {
        const value = typeof row?.raw[0] === 'number' ? row.raw[0] : null;
        const reason = value === null ? 'too_few_units' : null;
        return { value, baseline: null, steps: null, skipped: 0, reason };
      },
    };
  const reader = estimateReader(plan, unitType, days);
  return {
    statement: readActiveUnits(unitType, days, [...reader.columns, ...more]),
    estimate: (rows) => estimateOf(plan, reader, rows),
  };
}

/** Whether each day has a value of its own: a window follows a unit over several days. */
export function isDaily(plan: MetricPlan): boolean {
  if (plan.type !== 'units') return plan.window === null;
  return [...plan.y.terms, ...(plan.d?.terms ?? [])].every(({ window }) => window === null);
}
