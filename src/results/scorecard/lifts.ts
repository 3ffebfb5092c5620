import type { Context } from 'hono';
import type * as z from 'zod';
import {
  readCells,
  readChosen,
  readChosenAnalysis,
  readListedMetrics,
  type Selection,
} from '../../analysis/read/stored.ts';
import { Problem } from '../../base/problem.ts';
import { dateOfDay, dayOfDate } from '../../base/time.ts';
import { holdouts } from '../../experiments/holdouts/table.ts';
import { gates } from '../../flags/gates/table.ts';
import type { Service } from '../../platform/env.ts';
import { openReads } from '../../platform/http/transact.ts';
import type { Reads } from '../../platform/store/core/reads.ts';
import { readEntity } from '../../platform/store/entities/entities.ts';
import type { Answer } from '../base/answer.ts';
import { optionsOf } from '../base/options.ts';
import type { liftsQuery } from '../base/query.ts';
import { requireDate } from '../base/starts.ts';
import { rolesOf, subjectsOf } from '../base/subject.ts';
import { loadedDayOf, settingOf } from './experiment_results.ts';
import { resultsOf, type ScorecardDay } from './pulse.ts';

type LiftsQuery = z.output<typeof liftsQuery>;

const selectionFor = (kind: 'gate' | 'holdout', id: string, query: LiftsQuery): Selection => ({
  ...{ kind, id, sequential: null, rollup: -1 },
  start: query.start ?? null,
  ds: query.date === undefined ? null : dayOfDate(query.date),
});

async function liftsOf(tx: Reads, selection: Selection, query: LiftsQuery): Promise<Answer> {
  const [[chosen], [analysis], metrics, cells] = await tx.read(
    readChosen(selection),
    readChosenAnalysis(selection),
    readListedMetrics(selection),
    readCells(selection),
  );
  if (!analysis && query.start !== undefined)
    throw new Problem('not_found', `There is no phase with the start ${query.start}.`);
  if (analysis) requireDate(analysis, query.date);
  const startTime = analysis?.start ?? null;
  const ds = analysis ? loadedDayOf(analysis, chosen?.ds) : null;
  const test = analysis?.groups.find(({ id }) => id !== analysis.control)?.id;
  if (!analysis || !test || ds === null)
    return { data: { ds: null, startTime, monitoringMetrics: [] }, chosen };
  const place = { ds, rollup: -1, test };
  const setting = settingOf({ allocation: 100 }, analysis, optionsOf(query), place);
  const day: ScorecardDay = {
    ...{ analysis, cells, baselines: [] },
    subjects: subjectsOf(analysis, metrics),
    family: rolesOf(analysis.settings),
  };
  const monitoringMetrics = resultsOf(day, { control: analysis.control, test }, setting);
  return { data: { ds: dateOfDay(ds), startTime, monitoringMetrics }, chosen };
}

export const ruleSelection = (id: string, ruleID: string, query: LiftsQuery): Selection =>
  selectionFor('gate', `${id}:${ruleID}`, query);

export const holdoutSelection = (id: string, query: LiftsQuery): Selection =>
  selectionFor('holdout', id, query);

/** Returns the lifts of a rule: its units that pass against those that fail. @throws Problem 404 */
export async function ruleLifts(
  c: Context<Service>,
  { id, ruleID }: { id: string; ruleID: string },
  query: LiftsQuery,
): Promise<Answer> {
  const tx = openReads(c);
  const [gate, answer] = await Promise.all([
    readEntity(tx, gates, id),
    liftsOf(tx, ruleSelection(id, ruleID, query), query),
  ]);
  if (!gate.rules.some((rule) => rule.id === ruleID))
    throw new Problem('not_found', `The gate ${id} has no rule with the id ${ruleID}.`);
  return answer;
}

/** Returns the impact of a holdout: all units against those that are held back. @throws Problem 404 */
export async function holdoutLifts(
  c: Context<Service>,
  id: string,
  query: LiftsQuery,
): Promise<Answer> {
  const tx = openReads(c);
  const [, answer] = await Promise.all([
    readEntity(tx, holdouts, id),
    liftsOf(tx, holdoutSelection(id, query), query),
  ]);
  return answer;
}
