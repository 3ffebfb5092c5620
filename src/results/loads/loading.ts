import type { Context } from 'hono';
import type * as z from 'zod';
import { isFrozen } from '../../analysis/base/days.ts';
import { readChosenAnalysis } from '../../analysis/read/stored.ts';
import { analysesOfGate } from '../../analysis/schedule/designs.ts';
import { type Asked, planDays } from '../../analysis/schedule/planning.ts';
import { loadAnalysis, type Refresh, requestedDays } from '../../analysis/schedule/requested.ts';
import { readAnalysis, readAnyRun } from '../../analysis/work/day_tasks.ts';
import type { DueDay } from '../../analysis/work/due.ts';
import { loadedMetrics } from '../../analysis/work/plans.ts';
import { sumOf } from '../../base/numbers.ts';
import { Problem } from '../../base/problem.ts';
import { dateOfDay } from '../../base/time.ts';
import { experiments } from '../../experiments/experiments/table.ts';
import { experimentResource } from '../../experiments/experiments/view.ts';
import { openAnalyses } from '../../experiments/starts/opening.ts';
import type { Start } from '../../experiments/starts/table.ts';
import { gates } from '../../flags/gates/table.ts';
import type { Service } from '../../platform/env.ts';
import { withOverdue } from '../../platform/http/overdue.ts';
import { changeMessage } from '../../platform/http/success.ts';
import { transact, wantsDryRun } from '../../platform/http/transact.ts';
import type { Transaction } from '../../platform/store/core/transaction.ts';
import { readEntity } from '../../platform/store/entities/entities.ts';
import { runOf, selectionOf } from '../base/starts.ts';
import type { loadBody } from './loading_schema.ts';

const budget = { trips: 20, ms: 10_000 };

type Body = z.output<typeof loadBody>;

function refreshOf({ refresh = 'incremental', metricIDs = [] }: Body, analysis: Start): Refresh {
  if (refresh !== 'metric') return { type: refresh };
  const known = loadedMetrics(analysis.settings);
  for (const [index, id] of metricIDs.entries())
    if (!known.includes(id))
      throw Problem.property(`metricIDs.${index}`, 'must be a metric of the analysis');
  return { type: 'metric', metricIDs };
}

/** Days of metrics that one request plans, because they are stored as one batch. */
const maxRuns = 15_000;

const runsIn = (days: readonly DueDay[]) => sumOf(days.map(({ metrics }) => metrics.length + 1));

function plannedDays(analyses: readonly Start[], body: Body, now: number): DueDay[] {
  const days = analyses.flatMap((each) => requestedDays(each, refreshOf(body, each), now));
  if (runsIn(days) <= maxRuns) return days;
  if ((body.refresh ?? 'incremental') !== 'incremental')
    throw Problem.property('refresh', `must load at most ${maxRuns} results of metrics and days`);
  let room = maxRuns;
  return days.filter(({ metrics }) => {
    room -= metrics.length + 1;
    return room >= 0;
  });
}

/** @throws Problem 409 while an analysis is loading, 400 for unknown metrics or too many results */
async function stageLoad(
  tx: Transaction,
  of: { kind: string; id: string },
  analyses: readonly Start[],
  body: Body,
) {
  const { time, author } = tx;
  const days = plannedDays(analyses, body, time);
  const running = await Promise.all(
    analyses.map(({ kind, id, start }) => tx.read(readAnyRun({ kind, id, start }))),
  );
  const isStaged = tx.loggedRows.some(
    ({ kind, summary }) =>
      kind === 'results' && summary.kind === of.kind && summary.id === of.id && summary.days !== 0,
  );
  if (isStaged || running.some(([rows]) => rows.length > 0))
    throw new Problem('transition', `The results of ${of.id} are loading; wait for the end.`);
  const asked: Asked = {
    creatorName: author.actor.name,
    reloadType: body.refresh ?? 'incremental',
  };
  const statements = planDays(days, time, asked);
  const summary = { ...of, refresh: asked.reloadType, days: days.length };
  tx.loggedRows.push({ kind: 'results', action: 'load', statements, summary });
  const numbers = days.map(({ ds }) => ds);
  return {
    ...asked,
    createdTime: time,
    finishedTime: null,
    finishedState: null,
    startDs: days.length > 0 ? dateOfDay(Math.min(...numbers)) : null,
    endDs: days.length > 0 ? dateOfDay(Math.max(...numbers)) : null,
  };
}

/** Loads the planned days after they are stored; nothing within many changes, which are not stored yet. */
async function loadNow(c: Context<Service>, analyses: readonly Start[]): Promise<void> {
  if (c.env.many || wantsDryRun(c)) return;
  const db = c.get('db');
  const [begun, now] = [db.meter.trips, Date.now()];
  const left = () => ({
    trips: budget.trips - (db.meter.trips - begun),
    ms: budget.ms - (Date.now() - now),
  });
  for (const { kind, id, start } of analyses)
    await loadAnalysis({ db, now, left }, { kind, id, start });
}

const messageOf = (c: Context<Service>, tx: Transaction) =>
  tx.dryRun ? changeMessage(c, tx).replace(' is ', ' would be ') : changeMessage(c, tx);

/** Loads the present run of an experiment. */
export async function loadExperiment(c: Context<Service>, id: string, body: Body) {
  let loaded: Start[] = [];
  const selection = selectionOf(id, {});
  const response = await transact(c, async (tx) => {
    const [experiment, [[stored]]] = await withOverdue(
      tx,
      experimentResource.overdueChanges,
      id,
      () => Promise.all([readEntity(tx, experiments, id), tx.read(readChosenAnalysis(selection))]),
    );
    const analysis = runOf(experiment, stored, undefined);
    const changesLoaded = isFrozen(analysis) || (body.refresh ?? 'incremental') !== 'incremental';
    if (experiment.decisionTime !== null && changesLoaded)
      throw new Problem(
        'transition',
        `The experiment ${id} is decided, and its results no longer change.`,
      );
    loaded = [analysis];
    const load = await stageLoad(tx, { kind: 'experiment', id }, loaded, body);
    const turboMode = experiment.turboMode ?? false;
    return c.json({ message: messageOf(c, tx), data: { ...load, turboMode } });
  });
  await loadNow(c, loaded);
  return response;
}

const turboMode = false;

/** Loads the measured rules of a gate in their present phases. */
export async function loadGate(c: Context<Service>, id: string, body: Body) {
  let loaded: Start[] = [];
  const response = await transact(c, async (tx) => {
    const gate = await readEntity(tx, gates, id);
    const present = analysesOfGate(gate);
    if (present.length === 0)
      throw new Problem('transition', `The gate ${id} has no rule whose lift is measured.`);
    const read = await Promise.all(
      present.map(({ kind, id: key, start }) => tx.read(readAnalysis({ kind, id: key, start }))),
    );
    loaded = present.map((one, index) => read[index]?.[0][0] ?? one);
    const load = await stageLoad(tx, { kind: 'gate', id }, loaded, body);
    tx.lastStatements.push(...openAnalyses(present));
    return c.json({ message: messageOf(c, tx), data: { ...load, turboMode } });
  });
  await loadNow(c, loaded);
  return response;
}
