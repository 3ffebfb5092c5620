import { and, type Column, eq, type SQL, sql } from 'drizzle-orm';
import * as z from 'zod';
import { bucketsOfEach } from '../../evaluation/compile/draw.ts';
import { isDrawnElsewhere } from '../../evaluation/compile/served.ts';
import { chiSquareP } from '../../shared/chi_square.ts';
import { counted } from '../../shared/english.ts';
import { sumOf } from '../../shared/numbers.ts';
import { constant, jsonByKey, jsonObject, onlyValue, orElse } from '../../store/sql/expressions.ts';
import { query } from '../../store/sql/statement.ts';
import { loadedCheck } from '../analyses/health.ts';
import { analyses } from '../analyses/table.ts';
import { exposureCounts, rejectedReports } from '../exposures/table.ts';
import type { Experiment, experimentResponse } from './schema.ts';

const { kind, id, start, group } = exposureCounts;

/** Selects the units of each group and the findings of the last load, of the current run. */
export const healthColumn = (
  experiment: Record<'id' | 'startTime', Column>,
): SQL<string | null> => {
  const isOfRun = and(
    eq(kind, 'experiment'),
    eq(id, experiment.id),
    eq(start, orElse(experiment.startTime, constant(0))),
  );
  const seen = jsonByKey(group, exposureCounts.units);
  const units = onlyValue(query.select({ seen }).from(exposureCounts).where(isOfRun));
  const isRun = and(
    eq(analyses.kind, 'experiment'),
    eq(analyses.id, experiment.id),
    eq(analyses.start, experiment.startTime),
  );
  const checks = onlyValue(query.select({ health: analyses.health }).from(analyses).where(isRun));
  return jsonObject({ units: sql`json(${units})`, checks: sql`json(${checks})` });
};

type Check = z.infer<typeof experimentResponse>['healthChecks'][number];

const counts = z.object({
  units: z.record(z.string(), z.int()).nullable(),
  checks: z.array(loadedCheck).nullable(),
});

type Counts = z.infer<typeof counts>;

/** Below 100 units, group sizes are not checked. */
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

function balance(
  { groups }: Experiment,
  seen: readonly number[],
  shares: readonly number[],
): Check {
  const whole = sumOf(shares);
  const balanced = {
    name: 'Balanced groups',
    groups: groups.map((group, place) => ({
      groupID: group.id,
      units: seen[place] ?? 0,
      expectedShare: ((shares[place] ?? 0) * 100) / whole,
    })),
  };
  const isDrawn = (_: number, group: number) => shares[group] !== 0; // without a share, units come from overrides only
  const drawn = seen.filter(isDrawn);
  if (sumOf(drawn) < minUnits)
    return {
      ...balanced,
      status: 'WAITING',
      description: `Group sizes are checked from ${minUnits} units on.`,
    };
  const drawnShares = shares.filter(isDrawn);
  const p = chiSquareP(drawn, drawnShares);
  const status = statusOf(p);
  const percents = drawnShares.map((share) => Number(((share * 100) / whole).toFixed(1)));
  const sizes = `${drawn.join(' vs ')}, expected ${percents.join('/')}`;
  return { ...balanced, status, description: balanceSentences(sizes, p)[status], p };
}

/** Counts are missing in the response of a change, which does not read them. */
export type ExperimentWithCounts = Experiment & { beside?: string | null };

const countsOf = ({ beside }: ExperimentWithCounts): Counts =>
  beside ? counts.parse(JSON.parse(beside)) : { units: null, checks: null };

/** Includes the number of rejected reports, under `rejectedReports`. */
const unitsByGroup = (experiment: ExperimentWithCounts) =>
  new Map(Object.entries(countsOf(experiment).units ?? {}));

/** Returns the number of units seen in each group, in the order of the groups. */
export function unitsSeen(experiment: ExperimentWithCounts): number[] {
  const { groups } = experiment;
  const seen = unitsByGroup(experiment);
  return groups.map(({ id }) => seen.get(id) ?? 0);
}

/** Returns the shares with which units are drawn. Those drawn here are assigned by bucket, which rounds a size of 33.33%; other units by exact sizes. */
export function sharesOf(experiment: Experiment): number[] {
  const sizes = experiment.groups.map(({ size }) => size);
  return isDrawnElsewhere(experiment) ? sizes : bucketsOfEach(sizes);
}

const rejectedSentence = (reports: number) =>
  reports > 0
    ? ` ${counted(reports, 'report was', 'reports were')} ignored: not the group of the unit, or before the start.`
    : '';

/** Returns the checks of the recorded units: whether there are any, and the sizes of the groups. */
export function unitChecksOf(experiment: ExperimentWithCounts): Check[] {
  const seen = unitsSeen(experiment);
  const total = sumOf(seen);
  const name = 'Exposures';
  const rejected = rejectedSentence(unitsByGroup(experiment).get(rejectedReports) ?? 0);
  if (total === 0) {
    const description = `No exposures have been recorded for this experiment.${rejected}`;
    return [{ name, status: 'WAITING', description }];
  }
  const description = `${counted(total, 'unit has', 'units have')} been exposed.${rejected}`;
  return [{ name, status: 'PASSED', description }, balance(experiment, seen, sharesOf(experiment))];
}

/** Returns the health checks of an experiment. See docs/contract/evaluation.md#9-exposures-and-checks. */
export function healthOf(experiment: ExperimentWithCounts): Check[] {
  const loaded = countsOf(experiment).checks ?? [];
  const doubt = loaded.find(({ name }) => name === 'Exposures');
  const live = unitChecksOf(experiment).map((check) =>
    doubt && check.name === 'Exposures'
      ? { ...check, status: doubt.status, description: `${check.description} ${doubt.description}` }
      : check,
  );
  return [...live, ...loaded.filter(({ name }) => name !== 'Exposures')];
}

const fromWorst = ['FAILED', 'WARNING', 'WAITING', 'PASSED'] as const;

/** Returns the worst status of some checks. */
export const worstOf = (checks: readonly Check[]): Check['status'] =>
  fromWorst.find((status) => checks.some((check) => check.status === status)) ?? 'WAITING';
