import type { Context } from 'hono';
import { isPlanned } from '../../analysis/plan/metric.ts';
import { readExposuresOf, type StoredExposures } from '../../analysis/read/series.ts';
import { readChosenAnalysis, readListedMetrics } from '../../analysis/read/stored.ts';
import { sumOf } from '../../base/numbers.ts';
import { dateOfDay, dayLength, dayOfTime } from '../../base/time.ts';
import { balanceOf } from '../../engine/statistics/balance.ts';
import {
  healthOf,
  sharesOf,
  unitsSeen,
  withStatistics,
  worstOf,
} from '../../experiments/experiments/checks/health.ts';
import type { Experiment } from '../../experiments/experiments/schema.ts';
import type { Start } from '../../experiments/starts/table.ts';
import type { Service } from '../../platform/env.ts';
import { getForResponse } from '../../platform/store/entities/entities.ts';
import { asOfRun, runOf, selectionOf, withExperiment } from '../base/starts.ts';
import { type Subject, subjectsOf } from '../base/subject.ts';
import { crossoversOf, unitsOfGroups } from '../scorecard/balance.ts';

const percentOf = (part: number, whole: number): number | null =>
  whole > 0 ? (100 * part) / whole : null;

function balanceFor(experiment: Experiment, units: readonly number[]) {
  const shares = sharesOf(experiment);
  const balance = balanceOf(units, shares);
  const [whole, all] = [sumOf(shares), sumOf(units)];
  return {
    pValue: balance?.pValue ?? null,
    alwaysValidPValue: balance?.alwaysValidPValue ?? null,
    groups: experiment.groups.map(({ id, name }, place) => ({
      groupID: id,
      groupName: name,
      units: units[place] ?? 0,
      expectedShare: percentOf(shares[place] ?? 0, whole),
      observedShare: percentOf(units[place] ?? 0, all),
    })),
  };
}

const groupsWithUnits = ({ groups }: Experiment, units: readonly number[]) =>
  groups.map(({ id }, place) => ({ groupID: id, units: units[place] ?? 0 }));

function balanceOfDays(experiment: Experiment, exposures: readonly StoredExposures[]) {
  return [...Map.groupBy(exposures, ({ ds }) => ds)].map(([ds, own]) => ({
    ds: dateOfDay(ds),
    groups: groupsWithUnits(experiment, unitsOfGroups(experiment, own)),
  }));
}

function balanceOfSlices(experiment: Experiment, slices: readonly StoredExposures[]) {
  const groups = Map.groupBy(slices, ({ dimension, slice }) => JSON.stringify([dimension, slice]));
  return [...groups.values()].flatMap((own) => {
    const [first] = own;
    if (!first) return [];
    const units = unitsOfGroups(experiment, own);
    return [
      {
        dimension: first.dimension,
        dimension_value: first.slice,
        pValue: balanceOf(units, sharesOf(experiment))?.pValue ?? null,
        groups: groupsWithUnits(experiment, units),
      },
    ];
  });
}

function lastExposure({ loadedTime }: Start, days: readonly StoredExposures[]): number | null {
  const last = days.filter((day) => day.new > 0).at(-1);
  return last ? Math.min((last.ds + 1) * dayLength, loadedTime ?? 0) : null;
}

const lateEventCount = ({ plan }: Subject, { lateEvents }: Start) =>
  isPlanned(plan) ? sumOf(plan.events.map((name) => lateEvents[name] ?? 0)) : null;

const metricHealth = (subjects: readonly Subject[], analysis: Start) =>
  subjects.map((subject) => {
    const { id, name, plan, isLoaded } = subject;
    const { loadedDay } = analysis;
    const isShown = loadedDay !== null && isLoaded;
    return {
      metricID: id,
      metricName: name,
      upTo: isShown ? (loadedDay + 1) * dayLength : null,
      lateEvents: isShown ? lateEventCount(subject, analysis) : null,
      problem: isPlanned(plan) ? null : plan.detail,
    };
  });

/** Returns an experiment with the counts and findings of one of its runs. */
const withRun = <E extends Experiment>(
  experiment: E,
  { settings, health }: Start,
  latest: readonly StoredExposures[],
) => {
  const counted = latest.filter(({ group }) => group !== '');
  const units = settings.decided?.units ?? counted.map((one) => [one.group, one.cumulative]);
  return { ...experiment, extraColumn: JSON.stringify({ units, checks: health }) };
};

/** Returns the checks of an experiment's data, with their numbers. */
export async function experimentHealth(
  c: Context<Service>,
  id: string,
  query: { start?: number | undefined },
) {
  const selection = selectionOf(id, { ...query, rollup: -1 });
  const [found, [[stored], metrics, days, slices]] = await withExperiment(
    c,
    id,
    (tx) =>
      tx.read(
        readChosenAnalysis(selection),
        readListedMetrics(selection),
        readExposuresOf(selection, { isDaily: true, dimension: '' }),
        readExposuresOf(selection, { isDaily: false, dimension: null }),
      ),
    getForResponse,
  );
  const analysis = runOf(found, stored, query.start);
  const { loadedDay, start } = analysis;
  const latest = days.filter(({ ds }) => ds === loadedDay);
  const isPresent = start === found.startTime;
  const decided = asOfRun(found, analysis);
  const experiment = isPresent ? decided : withRun(decided, analysis, latest);
  const units = latest.length > 0 ? unitsOfGroups(experiment, latest) : unitsSeen(experiment);
  const [balanced = experiment] = await withStatistics([experiment]);
  const healthChecks = healthOf(balanced).map(({ name, status, description }) => ({
    ...{ name, status, description },
  }));
  const total = sumOf(units);
  return {
    healthCheckStatus: worstOf(healthChecks),
    healthChecks,
    exposures: {
      units: total,
      perDay: loadedDay === null ? null : total / (loadedDay - dayOfTime(start) + 1),
      lastTime: lastExposure(
        analysis,
        days.filter(({ group }) => group !== ''),
      ),
    },
    balance: {
      ...balanceFor(experiment, units),
      days: balanceOfDays(experiment, days),
      dimensions: balanceOfSlices(experiment, slices),
    },
    crossovers: crossoversOf(latest),
    metrics: metricHealth(subjectsOf(analysis, metrics, experiment), analysis),
  };
}
