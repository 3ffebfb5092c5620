import type { Context } from 'hono';
import type { Pair } from '../../analysis/base/cells.ts';
import { readExposuresOf } from '../../analysis/read/series.ts';
import {
  readBaselines,
  readCells,
  readChosen,
  readChosenAnalysis,
  readListedMetrics,
  type Selection,
} from '../../analysis/read/stored.ts';
import { dateOfDay, dayOfTime } from '../../base/time.ts';
import { analysisDraws } from '../../data/exposures/table.ts';
import { minUnitsOfVerdict } from '../../engine/statistics/sequential.ts';
import type { Experiment } from '../../experiments/experiments/schema.ts';
import { experiments } from '../../experiments/experiments/table.ts';
import type { Start } from '../../experiments/starts/table.ts';
import type { Service } from '../../platform/env.ts';
import type { Reads } from '../../platform/store/core/reads.ts';
import { readEntity } from '../../platform/store/entities/entities.ts';
import type { Answer } from '../base/answer.ts';
import { optionsOf, type ResultOptions } from '../base/options.ts';
import type { PulseQuery } from '../base/query.ts';
import {
  asOfRun,
  requireDate,
  requireSides,
  runOf,
  selectionOf,
  withExperiment,
} from '../base/starts.ts';
import { rolesOf, subjectsOf } from '../base/subject.ts';
import { resultsOf, type ScorecardDay } from './pulse.ts';
import { timingOf } from './rules/decision.ts';
import type { Setting } from './rules/measured.ts';
import { unusedSettings } from './rules/warnings.ts';
import { resultTable } from './table.ts';

/** Returns the requested day if it is loaded, otherwise null. */
export const loadedDayOf = ({ loadedDay }: Start, ds: number | null | undefined): number | null =>
  loadedDay !== null && ds !== null && ds !== undefined && ds <= loadedDay ? ds : null;

/** Returns what the results of a day have in common. */
export function settingOf(
  { allocation }: Pick<Experiment, 'allocation'>,
  analysis: Start,
  options: ResultOptions,
  { ds, rollup, test }: { ds: number; rollup: number; test: string },
): Setting {
  const { start, plannedEnd, dueDay, groups } = analysis;
  const days = ds - dayOfTime(start) + 1;
  const { size = 0, drawsBelow = analysisDraws } = groups.find(({ id }) => id === test) ?? {};
  return {
    options,
    timing: timingOf(analysis, ds, plannedEnd === null ? null : dayOfTime(plannedEnd - 1)),
    rollup,
    days: rollup === -1 ? days : Math.min(rollup, days),
    testShare: (allocation / 100) * (size / 100) * (drawsBelow / analysisDraws),
    isPreliminary: ds >= dueDay,
  };
}

const readDay = (tx: Reads, selection: Selection) =>
  tx.read(
    readChosen(selection),
    readChosenAnalysis(selection),
    readListedMetrics(selection),
    readCells(selection),
    readBaselines(selection, minUnitsOfVerdict),
    readExposuresOf(selection, { isDaily: false, dimension: '' }),
  );

function scorecardDay(
  found: Experiment,
  [[chosen], [stored], metrics, cells, baselines, exposures]: Awaited<ReturnType<typeof readDay>>,
  start: number | undefined,
) {
  const analysis = runOf(found, stored, start);
  const experiment = asOfRun(found, analysis);
  const subjects = subjectsOf(analysis, metrics, experiment, chosen?.pending);
  const family = rolesOf(analysis.settings);
  const day: ScorecardDay = { analysis, subjects, family, cells, baselines };
  return { experiment, analysis, chosen, day, exposures };
}

/** Reads a day of a run, in one round trip. @throws Problem 404 */
export async function loadDayOfRun(tx: Reads, selection: Selection, start: number) {
  const [experiment, read] = await Promise.all([
    readEntity(tx, experiments, selection.id),
    readDay(tx, selection),
  ]);
  return scorecardDay(experiment, read, start);
}

/** Reads the chosen day of an experiment in one round trip. */
export async function readScorecardDay(c: Context<Service>, id: string, query: PulseQuery) {
  const selection = selectionOf(id, query);
  const [experiment, read] = await withExperiment(c, id, (tx) => readDay(tx, selection));
  const loaded = scorecardDay(experiment, read, query.start);
  requireSides(experiment, loaded.analysis, query);
  requireDate(loaded.analysis, query.date);
  return loaded;
}

/** Returns the results of all metrics of an experiment for two groups. */
export async function pulseResults(
  c: Context<Service>,
  id: string,
  query: PulseQuery,
): Promise<Answer> {
  const { experiment, analysis, chosen, day, exposures } = await readScorecardDay(c, id, query);
  const ds = loadedDayOf(analysis, chosen?.ds);
  const common = { loadedTime: analysis.loadedTime, warnings: unusedSettings(experiment) };
  const sides: Pair = { control: query.control, test: query.test };
  if (ds === null || !chosen) {
    const none = { primaryMetrics: [], secondaryMetrics: [], otherMetrics: [] };
    const data = { ds: null, preliminary: false, ...none, ...common };
    return { data, chosen, csv: () => resultTable([], { experiment, exposures, sides }) };
  }
  const place = { ds, rollup: chosen.rollup, test: query.test };
  const setting = settingOf(experiment, analysis, optionsOf(query, experiment), place);
  const results = resultsOf(day, sides, setting);
  const ofRole = (role: string) => results.filter((_, index) => day.subjects[index]?.role === role);
  const date = dateOfDay(ds);
  const data = {
    ds: date,
    preliminary: setting.isPreliminary,
    primaryMetrics: ofRole('primary'),
    secondaryMetrics: ofRole('secondary'),
    otherMetrics: ofRole('other'),
    ...common,
  };
  const rows = results.map((result) => ({ date, result, dimension: '', slice: '' }));
  return { data, chosen, csv: () => resultTable(rows, { experiment, exposures, sides }) };
}
