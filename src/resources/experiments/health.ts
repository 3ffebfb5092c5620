import { and, type Column, eq, type SQL } from 'drizzle-orm';
import * as z from 'zod';
import { bucketsOfEach } from '../../evaluation/compile/draw.ts';
import { isDrawnElsewhere } from '../../evaluation/compile/served.ts';
import { chiSquareP } from '../../shared/chi_square.ts';
import { counted } from '../../shared/english.ts';
import { sumOf } from '../../shared/numbers.ts';
import { constant, jsonByKey, onlyValue, orElse } from '../../store/sql/expressions.ts';
import { query } from '../../store/sql/statement.ts';
import { exposureCounts, leftOut } from '../exposures/table.ts';
import type { Experiment, experimentResponse } from './schema.ts';

const { kind, id, start, group } = exposureCounts;

/** Reads the number of exposed units in each group since the start, in the same query as the experiment. */
export const besideExperiment = (
  experiment: Record<'id' | 'startTime', Column>,
): SQL<string | null> => {
  const ofRun = and(
    eq(kind, 'experiment'),
    eq(id, experiment.id),
    eq(start, orElse(experiment.startTime, constant(0))),
  );
  const seen = jsonByKey(group, exposureCounts.units);
  return onlyValue(query.select({ seen }).from(exposureCounts).where(ofRun));
};

type Check = z.infer<typeof experimentResponse>['healthChecks'][number];

const units = z.array(z.tuple([z.string(), z.int()]));

/** Fewer units than this do not show an imbalance. */
const fewest = 100;

/** Probabilities below which group sizes fail, or cause a warning. */
const limits = { failed: 0.001, warning: 0.01 };

function statusOf(p: number): Check['status'] {
  if (p < limits.failed) return 'FAILED';
  return p < limits.warning ? 'WARNING' : 'PASSED';
}

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
  const isDrawn = (_: number, group: number) => shares[group] !== 0; // into the others nobody comes by chance
  const drawn = seen.filter(isDrawn);
  if (sumOf(drawn) < fewest)
    return {
      ...balanced,
      status: 'WAITING',
      description: `Below ${fewest} units, sizes say nothing yet.`,
    };
  const p = chiSquareP(drawn, shares.filter(isDrawn));
  const description = `Groups of these sizes come about by chance with a probability of p = ${p.toPrecision(3)}.`;
  return { ...balanced, status: statusOf(p), description, p };
}

/** An experiment with its counted exposures; undefined for one that was just changed. */
export type Counted = Experiment & { beside?: string | null };

/** Returns the number of units by group, and of reports that were left out. */
const seenIn = ({ beside }: Counted) =>
  new Map(beside ? units.parse(Object.entries(JSON.parse(beside))) : []);

/** Returns the number of units seen in each group, in the order of the groups. */
export function unitsSeen(experiment: Counted): number[] {
  const { groups } = experiment;
  const seen = seenIn(experiment);
  return groups.map(({ id }) => seen.get(id) ?? 0);
}

/**
 * The shares of units that come into each group: in thousandths, as they are drawn here, which among many
 * units can be told from a size of 33.33 %; of an experiment whose units are drawn elsewhere, the sizes.
 */
function sharesOf(experiment: Experiment): number[] {
  const sizes = experiment.groups.map(({ size }) => size);
  return isDrawnElsewhere(experiment) ? sizes : bucketsOfEach(sizes);
}

/** Empty if no report was left out. */
const leftOutSentence = (reports: number) =>
  reports > 0
    ? ` ${counted(reports, 'report was', 'reports were')} left out: not the group that the unit draws, or before the start.`
    : '';

/**
 * Returns the health checks of an experiment from the units seen in its groups. See
 * docs/contract/evaluation.md#9-exposures-and-checks.
 */
export function healthOf(experiment: Counted): Check[] {
  const seen = unitsSeen(experiment);
  const all = sumOf(seen);
  const name = 'Exposures';
  const more = leftOutSentence(seenIn(experiment).get(leftOut) ?? 0);
  if (all === 0) {
    const description = `No exposures have been recorded for this experiment.${more}`;
    return [{ name, status: 'WAITING', description }];
  }
  const description = `${counted(all, 'unit has', 'units have')} been exposed.${more}`;
  return [{ name, status: 'PASSED', description }, balance(experiment, seen, sharesOf(experiment))];
}

const fromWorst = ['FAILED', 'WARNING', 'WAITING', 'PASSED'] as const;

export const worstOf = (checks: readonly Check[]): Check['status'] =>
  fromWorst.find((status) => checks.some((check) => check.status === status)) ?? 'WAITING';
