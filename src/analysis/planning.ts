import { and, eq, exists, gt, isNull, lte, max, notExists, or, type SQL, sql } from 'drizzle-orm';
import { type Analysis, analyses } from '../resources/analyses/table.ts';
import { eventTable } from '../resources/events/table.ts';
import { hourLength } from '../shared/durations.ts';
import { insertRows, overRows } from '../store/sql/rows.ts';
import { compile, query, type Statement, statement } from '../store/sql/statement.ts';
import { revisions } from '../store/sql/tables.ts';
import { closedDay, isDecided } from './days.ts';
import { type DueDay, joinDays, nextDay, runsOf } from './due.ts';
import { closeAnalyses, followEntities, isOver } from './entities.ts';
import { scheduler, storeLoads } from './history.ts';
import { hasRoom, type Load } from './job.ts';
import { daysOfLateEvents, daysOfLateExposures, readLateEvents } from './late.ts';
import { planRuns } from './runs.ts';
import { type analysisLoads, analysisLooks, analysisRuns } from './table.ts';

const lookEvery = hourLength;

const readLooks = compile(query.select().from(analysisLooks));
const readNewestEvent = compile(
  query.select({ seq: max(eventTable.seq).as('seq') }).from(eventTable),
);
const readNewestRevision = compile(
  query.select({ seq: max(revisions.seq).as('seq') }).from(revisions),
);
const isOpen = sql`${analyses.isOpen} = 1`;

const readOpen = compile(query.select().from(analyses).where(isOpen));

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
  return sql`(exists (select 1 from ${analysisRuns}) or ${exists(changed)} or ${exists(due)})`;
}

const storeLooks = overRows((given) =>
  statement(sql`
    ${insertRows(analysisLooks, given)}
    on conflict (name) do update set seq = excluded.seq, time = excluded.time`),
);

interface State {
  open: Analysis[];
  events: { seen: number; newest: number; time: number };
  revisions: { seen: number; newest: number };
}

async function readState({ db }: Load): Promise<State> {
  const [looks, [event], [revision], open] = await db.batch(
    readLooks(),
    readNewestEvent(),
    readNewestRevision(),
    readOpen(),
  );
  const lookOf = (name: string) => looks.find((look) => look.name === name);
  return {
    open,
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

/** Plans days, as one load of each analysis in its history. */
export function planDays(
  days: readonly DueDay[],
  now: number,
  asked: Asked = byScheduler,
): Statement[] {
  if (days.length === 0) return [];
  const byAnalysis = Map.groupBy(days, ({ analysis: { kind, id, start } }) =>
    JSON.stringify([kind, id, start]),
  );
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
  return [...planRuns(joinDays(days).flatMap((day) => runsOf(day, now))), ...storeLoads(loads)];
}

/** Looks for late data, at most once an hour. A look that runs out of room starts again in the next run. */
async function lookForLate(load: Load, { open, events }: State): Promise<Statement[]> {
  if (open.length === 0 || load.now - events.time < lookEvery) return [];
  const changing = open.filter((analysis) => !isDecided(analysis));
  const days: DueDay[] = [];
  if (events.newest > events.seen && changing.length > 0) {
    const before = Math.max(...changing.map(({ dueDay }) => dueDay));
    const [late] = await load.db.batch(readLateEvents(events.seen, events.newest, before));
    days.push(...(await daysOfLateEvents(load, changing, late)));
  }
  for (const analysis of changing) days.push(...(await daysOfLateExposures(load, analysis)));
  const look = { name: 'events' as const, seq: events.newest, time: load.now };
  const over = open.filter((analysis) => isOver(analysis, load.now));
  return [...planDays(days, load.now), ...closeAnalyses(over), ...storeLooks([look])];
}

/** Plans due work unless some is left: for entities, late data, then next days. Returns whether any was stored. */
export async function planWork(load: Load): Promise<boolean> {
  const state = await readState(load);
  const { revisions: known } = state;
  if (known.newest > known.seen) {
    const look = { after: known.seen, upTo: known.newest };
    const { statements, seq } = await followEntities(load, state.open, look);
    await load.db.batch(...statements, ...storeLooks([{ name: 'revisions', seq, time: load.now }]));
    return true;
  }
  const late = await lookForLate(load, state);
  if (late.length > 0) {
    await load.db.batch(...late);
    return true;
  }
  const due = state.open.flatMap((analysis) => nextDay(analysis, load.now) ?? []);
  if (due.length === 0) return false;
  await load.db.batch(...planDays(due, load.now));
  return true;
}

/** Whether the trips to plan are left: the state, entities, tags and metrics, and the batch. */
export const canPlan = (load: Load): boolean => hasRoom(load, 9);
