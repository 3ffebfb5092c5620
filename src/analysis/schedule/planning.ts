import {
  and,
  eq,
  exists,
  getTableColumns,
  gt,
  isNull,
  lte,
  max,
  notExists,
  or,
  type SQL,
  sql,
} from 'drizzle-orm';
import { hourLength } from '../../base/time.ts';
import { eventTable } from '../../data/events/table.ts';
import { analyses, type Start } from '../../experiments/starts/table.ts';
import { hasRoom, type LoadJob } from '../../platform/scheduled/budget.ts';
import { batchesOf } from '../../platform/store/sql/database.ts';
import { insertRows, overRows } from '../../platform/store/sql/rows.ts';
import {
  compileQuery,
  query,
  type Statement,
  statement,
} from '../../platform/store/sql/statement.ts';
import { revisions } from '../../platform/store/sql/tables.ts';
import { closedDay, isDecidedStart } from '../base/days.ts';
import { scheduler, storeLoads } from '../base/loads.ts';
import { hasRemovals, readRemoval, removePiece } from '../base/removal.ts';
import { keyOfAnalysis } from '../base/scope.ts';
import { type analysisLoads, analysisLooks, analysisRuns } from '../base/table.ts';
import { planRuns, restartRuns } from '../work/day_tasks.ts';
import { type DueDay, nextDay, runsOfDays } from '../work/due.ts';
import { closeAnalyses } from '../work/updates.ts';
import { followEntities, isOver } from './followed.ts';
import { daysOfLateExposures, followLateEvents, readLateEvents, storeLateEvents } from './late.ts';

const lookEvery = hourLength;

const readLooks = compileQuery(query.select().from(analysisLooks));
const readNewestEvent = compileQuery(
  query.select({ seq: max(eventTable.seq).as('seq') }).from(eventTable),
);
const readNewestRevision = compileQuery(
  query.select({ seq: max(revisions.seq).as('seq') }).from(revisions),
);
const isOpen = sql`${analyses.isOpen} = 1`;

const isLoading = sql<number>`exists (select 1 from analysis_runs r
  where r.kind = analyses.kind and r.id = analyses.id and r.start = analyses.start)`;

const readOpen = compileQuery(
  query
    .select({ ...getTableColumns(analyses), isLoading: isLoading.as('isLoading') })
    .from(analyses)
    .where(isOpen),
);

const lookOf = (name: 'events' | 'revisions') =>
  query.select({ seq: analysisLooks.seq }).from(analysisLooks).where(eq(analysisLooks.name, name));

/** Returns the condition under which there may be work. `now` in epoch milliseconds. */
export function hasAnalyses(now: number): SQL {
  const refreshed = lte(analyses.loadedTime, now - lookEvery);
  const isDue = or(isNull(analyses.loadedTime), refreshed, lte(analyses.dueDay, closedDay(now)));
  const looked = query
    .select({ name: analysisLooks.name })
    .from(analysisLooks)
    .where(and(eq(analysisLooks.name, 'events'), gt(analysisLooks.time, now - lookEvery)));
  const open = query.select({ id: analyses.id }).from(analyses);
  const seen = sql`coalesce((${lookOf('revisions')}), 0)`;
  const changed = query
    .select({ seq: revisions.seq })
    .from(revisions)
    .where(gt(revisions.seq, seen));
  const due = open.where(and(isOpen, or(isDue, notExists(looked))));
  return sql`(exists (select 1 from ${analysisRuns}) or ${hasRemovals} or ${exists(changed)} or ${exists(due)})`;
}

const storeLooks = overRows((given) =>
  statement(sql`
    ${insertRows(analysisLooks, given)}
    on conflict (name) do update set seq = excluded.seq, time = excluded.time`),
);

interface PlanningState {
  removal: { id: string } | undefined;
  open: Start[];
  /** The open analyses without planned days. */
  idle: Start[];
  events: { seen: number; newest: number; time: number };
  revisions: { seen: number; newest: number };
}

async function readState({ db }: LoadJob): Promise<PlanningState> {
  const [looks, [event], [revision], read, [removal]] = await db.batch(
    readLooks(),
    readNewestEvent(),
    readNewestRevision(),
    readOpen(),
    readRemoval(),
  );
  const lookOf = (name: string) => looks.find((look) => look.name === name);
  const open = read.map(({ isLoading, ...analysis }) => ({ analysis, isLoading }));
  return {
    removal,
    open: open.map(({ analysis }) => analysis),
    idle: open.flatMap(({ analysis, isLoading }) => (isLoading ? [] : [analysis])),
    events: {
      seen: lookOf('events')?.seq ?? 0,
      newest: event?.seq ?? 0,
      time: lookOf('events')?.time ?? 0,
    },
    revisions: { seen: lookOf('revisions')?.seq ?? 0, newest: revision?.seq ?? 0 },
  };
}

export type Asked = Pick<typeof analysisLoads.$inferSelect, 'creatorName' | 'reloadType'>;

const byScheduler: Asked = { creatorName: scheduler, reloadType: 'incremental' };

/** Plans days, with one load of each analysis in the history. */
export function planDays(
  days: readonly DueDay[],
  now: number,
  asked: Asked = byScheduler,
): Statement[] {
  if (days.length === 0) return [];
  const byAnalysis = Map.groupBy(days, ({ analysis }) => keyOfAnalysis(analysis));
  const loads = [...byAnalysis.values()].flatMap((own) => {
    const [first] = own;
    if (!first) return [];
    const { kind, id, start } = first.analysis;
    return [
      {
        ...{ kind, id, start },
        createdTime: now,
        ...asked,
        startDs: Math.min(...own.map(({ ds }) => ds)),
        endDs: Math.max(...own.map(({ ds }) => ds)),
        finishedTime: null,
        finishedState: null,
      },
    ];
  });
  return [...planRuns(runsOfDays(days, now)), ...storeLoads(loads)];
}

/** Looks for late data, at most once an hour. If the budget ends, the next run starts again. */
async function lookForLate(load: LoadJob, { open, events }: PlanningState): Promise<Statement[]> {
  if (open.length === 0 || load.now - events.time < lookEvery) return [];
  const undecided = open.filter((analysis) => !isDecidedStart(analysis));
  const lastDay = Math.max(...undecided.map(({ dueDay }) => dueDay));
  const hasEvents = events.newest > events.seen && undecided.length > 0;
  const [late] = hasEvents
    ? await load.db.batch(readLateEvents(events.seen, events.newest, lastDay))
    : [[]];
  const { days, next, counted } = await followLateEvents(load, undecided, late);
  const exposed = await Promise.all(undecided.map((one) => daysOfLateExposures(load, one)));
  const over = open.filter((analysis) => isOver(analysis, load.now));
  return [
    ...planDays([...days, ...exposed.flat()], load.now),
    ...restartRuns(runsOfDays(next, load.now)),
    ...storeLateEvents(counted),
    ...closeAnalyses(over),
    ...storeLooks([{ name: 'events', seq: events.newest, time: load.now }]),
  ];
}

/** Whether a plan fits: the state, revisions, entities, tags, metrics, uploads, and the batch. */
export const canPlan = (load: LoadJob): boolean => hasRoom(load, 10);

/** Stores a plan. One too large for a batch begins with its runs, which can be stored again. */
async function storeAndGoOn(load: LoadJob, statements: readonly Statement[]): Promise<true> {
  for (const batch of batchesOf(statements)) await load.db.batch(...batch);
  if (canPlan(load)) await planWork(load);
  return true;
}

/** Plans due work for entities, late data and next days, and removes the data of deleted experiments. Returns whether any work was stored. */
export async function planWork(load: LoadJob): Promise<boolean> {
  const state = await readState(load);
  const { revisions: known } = state;
  if (known.newest > known.seen) {
    const look = { after: known.seen, upTo: known.newest };
    const { statements, seq } = await followEntities(load, state.open, look);
    const looks = storeLooks([{ name: 'revisions', seq, time: load.now }]);
    return storeAndGoOn(load, [...statements, ...looks]);
  }
  const late = await lookForLate(load, state);
  if (late.length > 0) return storeAndGoOn(load, late);
  const due = state.idle.flatMap((analysis) => nextDay(analysis, load.now) ?? []);
  if (due.length === 0 && !state.removal) return false;
  const removed = state.removal ? removePiece(state.removal.id) : [];
  for (const batch of batchesOf([...planDays(due, load.now), ...removed]))
    await load.db.batch(...batch);
  return true;
}
