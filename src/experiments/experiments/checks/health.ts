import { type Column, type SQL, sql } from 'drizzle-orm';
import * as z from 'zod';
import { counted } from '../../../base/english.ts';
import { sumOf } from '../../../base/numbers.ts';
import { rejectedReports } from '../../../data/exposures/table.ts';
import { bucketsOfEach } from '../../../engine/evaluation/compile/draw.ts';
import { isAssignedElsewhere } from '../../../engine/evaluation/compile/served.ts';
import type { Balance } from '../../../engine/statistics/balance.ts';
import { qualified } from '../../../platform/store/sql/expressions.ts';
import { loadedCheck } from '../../starts/health.ts';
import type { Experiment, experimentResponse } from '../schema.ts';
import { type PlannedTest, plannedTest } from './power.ts';

/** Selects the units of each group, up to a decision, and the findings of the last load, of the current run. */
export function healthColumn(experiment: Record<'id' | 'startTime', Column>): SQL<string | null> {
  const { id, startTime } = experiment;
  const units = sql`(
    select json_group_array(json_array("group", units)) from exposure_counts as seen
    where seen.kind = 'experiment' and seen.id = ${qualified(id)}
      and seen.start = coalesce(${qualified(startTime)}, 0))`;
  return sql`coalesce((
    select json_object('units', json(coalesce(settings -> '$.decided.units', ${units})), 'checks', json(health))
    from analyses as run
    where run.kind = 'experiment' and run.id = ${qualified(id)} and run.start = ${qualified(startTime)}),
    json_object('units', json(${units}), 'checks', null))`;
}

type HealthCheck = z.infer<typeof experimentResponse>['healthChecks'][number];

const counts = z.object({
  units: z.array(z.tuple([z.string(), z.int()])),
  checks: z.array(loadedCheck).nullable(),
});

type HealthCounts = z.infer<typeof counts>;

const minUnits = 100;

const pThresholds = { failed: 0.001, warning: 0.01 };

function statusOf(p: number) {
  if (p < pThresholds.failed) return 'FAILED';
  return p < pThresholds.warning ? 'WARNING' : 'PASSED';
}

const balanceSentences = (sizes: string, p: number) => ({
  PASSED: `Group sizes match the planned split: ${sizes} (p = ${p.toPrecision(3)}).`,
  WARNING: `Group sizes may not match the planned split: ${sizes} (p < ${pThresholds.warning}).`,
  FAILED: `Sample ratio mismatch: ${sizes} (p < ${pThresholds.failed}). Don't trust the results yet.`,
});

/** Whether there are enough units to check the sizes of the groups. Without a share, units come from overrides only. */
const isCheckable = (seen: readonly number[], shares: readonly number[]): boolean =>
  sumOf(seen.filter((_, group) => shares[group] !== 0)) >= minUnits;

function scoredTest(experiment: ExperimentWithCounts): PlannedTest | undefined {
  const scores = experiment.manualQualityScores ?? [];
  if (!scores.some(({ criteriaName }) => criteriaName === 'POWER_ANALYSIS')) return undefined;
  const metricsCheck = healthCounts(experiment).checks?.find(({ name }) => name === 'Metrics');
  return plannedTest(experiment, metricsCheck?.baseline);
}

async function withPower(experiment: ExperimentWithCounts): Promise<ExperimentWithCounts> {
  const planned = scoredTest(experiment);
  if (!planned) return experiment;
  const { powerOf } = await import('../../../engine/statistics/power.ts');
  const { baseline, relativeEffect, alpha, units } = planned;
  return { ...experiment, power: powerOf(baseline, relativeEffect, alpha, units) };
}

/** Adds the balance of the groups and the power; statistics are only loaded for experiments that need them. */
export async function withStatistics(
  given: readonly ExperimentWithCounts[],
): Promise<readonly ExperimentWithCounts[]> {
  const experiments = await Promise.all(given.map(withPower));
  const checkable = experiments.filter((one) => isCheckable(unitsSeen(one), sharesOf(one)));
  if (checkable.length === 0) return experiments;
  const { balanceOf } = await import('../../../engine/statistics/balance.ts');
  return experiments.map((one) => ({ ...one, balance: balanceOf(unitsSeen(one), sharesOf(one)) }));
}

function balanceCheck(
  { groups, balance }: ExperimentWithCounts,
  seen: readonly number[],
  shares: readonly number[],
): HealthCheck {
  const whole = sumOf(shares);
  const balanced = {
    name: 'Balanced groups',
    groups: groups.map((group, place) => ({
      groupID: group.id,
      units: seen[place] ?? 0,
      expectedShare: ((shares[place] ?? 0) * 100) / whole,
    })),
  };
  if (!isCheckable(seen, shares))
    return {
      ...balanced,
      status: 'WAITING',
      description: `Group sizes are checked from ${minUnits} units on.`,
    };
  const isDrawn = (_: number, group: number) => shares[group] !== 0;
  const p = balance?.pValue ?? 1; // a single group
  const status = statusOf(p);
  const percents = shares
    .filter(isDrawn)
    .map((share) => Number(((share * 100) / whole).toFixed(1)));
  const sizes = `${seen.filter(isDrawn).join(' vs ')}, expected ${percents.join('/')}`;
  return { ...balanced, status, description: balanceSentences(sizes, p)[status], p };
}

export type ExperimentWithCounts = Experiment & {
  extraColumn?: string | null;
  balance?: Balance | null;
  power?: number | null;
};

const healthCounts = ({ extraColumn }: ExperimentWithCounts): HealthCounts =>
  extraColumn ? counts.parse(JSON.parse(extraColumn)) : { units: [], checks: null };

const unitsByGroup = (experiment: ExperimentWithCounts) => new Map(healthCounts(experiment).units);

/** Returns the number of units seen in each group, in the order of the groups. */
export function unitsSeen(experiment: ExperimentWithCounts): number[] {
  const { groups } = experiment;
  const seen = unitsByGroup(experiment);
  return groups.map(({ id }) => seen.get(id) ?? 0);
}

/** Returns the shares of the groups. Units drawn here have a bucket, which rounds 33.33%; others have exact sizes. */
export function sharesOf(experiment: Experiment): number[] {
  const sizes = experiment.groups.map(({ size }) => size);
  return isAssignedElsewhere(experiment) ? sizes : bucketsOfEach(sizes);
}

const rejectedSentence = (reports: number) =>
  reports > 0
    ? ` ${counted(reports, 'report was', 'reports were')} ignored: not the group of the unit, before the start, or against a server's report.`
    : '';

/** Returns the checks of the recorded units: whether there are any, and the sizes of the groups. */
export function unitChecksOf(experiment: ExperimentWithCounts): HealthCheck[] {
  const seen = unitsSeen(experiment);
  const total = sumOf(seen);
  const name = 'Exposures';
  const rejected = rejectedSentence(unitsByGroup(experiment).get(rejectedReports) ?? 0);
  if (total === 0) {
    const description = `No exposures have been recorded for this experiment.${rejected}`;
    return [{ name, status: 'WAITING', description }];
  }
  const description = `${counted(total, 'unit has', 'units have')} been exposed.${rejected}`;
  return [
    { name, status: 'PASSED', description },
    balanceCheck(experiment, seen, sharesOf(experiment)),
  ];
}

/** Returns the health checks of an experiment. See docs/contract/evaluation.md#9-exposures-and-checks. */
export function healthOf(experiment: ExperimentWithCounts): HealthCheck[] {
  const loaded = healthCounts(experiment).checks ?? [];
  const doubt = loaded.find(({ name }) => name === 'Exposures');
  const live = unitChecksOf(experiment).map((check) =>
    doubt && check.name === 'Exposures'
      ? { ...check, status: doubt.status, description: `${check.description} ${doubt.description}` }
      : check,
  );
  const others = loaded
    .filter(({ name }) => name !== 'Exposures')
    .map(({ name, status, description }) => ({ name, status, description }));
  return [...live, ...others];
}

const fromWorst = ['FAILED', 'WARNING', 'WAITING', 'PASSED'] as const;

/** Returns the worst status of some checks. */
export const worstOf = (checks: readonly HealthCheck[]): HealthCheck['status'] =>
  fromWorst.find((status) => checks.some((check) => check.status === status)) ?? 'WAITING';
