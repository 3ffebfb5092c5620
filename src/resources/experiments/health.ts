import { and, type Column, eq, type SQL } from 'drizzle-orm';
import * as z from 'zod';
import { bucketsOfEach } from '../../evaluation/compile/draw.ts';
import { isDrawnElsewhere } from '../../evaluation/compile/served.ts';
import { chiSquareP } from '../../shared/chi_square.ts';
import { counted } from '../../shared/english.ts';
import { sumOf } from '../../shared/numbers.ts';
import { constant, jsonByKey, onlyValue, orElse } from '../../store/sql/expressions.ts';
import { query } from '../../store/sql/statement.ts';
import { exposureCounts, rejectedReports } from '../exposures/table.ts';
import type { Experiment, experimentResponse } from './schema.ts';

const { kind, id, start, group } = exposureCounts;

/** Only exposures since the start of the current run count. */
export const unitCountsColumn = (
  experiment: Record<'id' | 'startTime', Column>,
): SQL<string | null> => {
  const isOfRun = and(
    eq(kind, 'experiment'),
    eq(id, experiment.id),
    eq(start, orElse(experiment.startTime, constant(0))),
  );
  const seen = jsonByKey(group, exposureCounts.units);
  return onlyValue(query.select({ seen }).from(exposureCounts).where(isOfRun));
};

type Check = z.infer<typeof experimentResponse>['healthChecks'][number];

const units = z.array(z.tuple([z.string(), z.int()]));

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

/** Includes the number of rejected reports, under `rejectedReports`. */
const unitsByGroup = ({ beside }: ExperimentWithCounts) =>
  new Map(beside ? units.parse(Object.entries(JSON.parse(beside))) : []);

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

/** Returns the health checks of an experiment. See docs/contract/evaluation.md#9-exposures-and-checks. */
export function healthOf(experiment: ExperimentWithCounts): Check[] {
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

const fromWorst = ['FAILED', 'WARNING', 'WAITING', 'PASSED'] as const;

/** Returns the worst status of some checks. */
export const worstOf = (checks: readonly Check[]): Check['status'] =>
  fromWorst.find((status) => checks.some((check) => check.status === status)) ?? 'WAITING';
