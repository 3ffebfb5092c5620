import { and, eq, gte, sql } from 'drizzle-orm';
import { dayLength, dayOfTime } from '../../base/time.ts';
import { analyses, type Start } from '../../experiments/starts/table.ts';
import type { LoadJob } from '../../platform/scheduled/budget.ts';
import { constant } from '../../platform/store/sql/expressions.ts';
import { overRows } from '../../platform/store/sql/rows.ts';
import { once, query, type Statement, statement } from '../../platform/store/sql/statement.ts';
import { closedDay, reloadedDays } from '../base/days.ts';
import { dayScope } from '../base/scope.ts';
import { analysisExposures } from '../base/table.ts';
import { isPlanned } from '../plan/metric.ts';
import type { MetricPlan } from '../plan/plan.ts';
import { exposuresByDay } from '../sql/units.ts';
import { type DueDay, everyMetric, loadedDays } from '../work/due.ts';
import { loadedMetrics, type Plans, plansOf, readMetrics } from '../work/plans.ts';

export interface LateEvents {
  name: string;
  day: number;
  events: number;
}

/** Counts, by name and day, the events between two numbers, up to a day. */
export const readLateEvents = (
  after: number,
  upTo: number,
  lastDay: number,
): Statement<LateEvents> =>
  statement(
    sql`select name, timestamp / 86400000 as day, count(*) as events from events
      where seq > ${constant(after)} and seq <= ${constant(upTo)} and timestamp < ${constant((lastDay + 1) * dayLength)}
      group by name, day`,
    (row) => ({ name: String(row.name), day: Number(row.day), events: Number(row.events) }),
  )();

const firstReloaded = (now: number): number => closedDay(now) - reloadedDays + 1;

/** A past is part of all later results. */
function daysThatSee(plan: MetricPlan, rollup: number, day: number) {
  const hasPast = plan.type === 'units' && plan.pastDays !== null;
  const isForever = rollup === -1 || hasPast;
  return { from: day, to: isForever ? Number.POSITIVE_INFINITY : day + rollup - 1 };
}

interface Late {
  days: DueDay[];
  /** The next day, which may be under way. */
  next: DueDay[];
  /** The analyses with late events, with their new counts. */
  counted: Start[];
}

/** Returns the loaded days and metrics that can see late events, and counts these since the start. */
export async function followLateEvents(
  load: LoadJob,
  open: readonly Start[],
  late: readonly LateEvents[],
): Promise<Late> {
  if (late.length === 0) return { days: [], next: [], counted: [] };
  const found = await readMetrics(
    load,
    open.flatMap(({ settings }) => loadedMetrics(settings)),
  );
  const each = open.map((analysis) => {
    return lateDaysOfStart(analysis, plansOf(analysis, found), late, firstReloaded(load.now));
  });
  return {
    days: each.flatMap(({ days }) => days),
    next: each.flatMap(({ next }) => next),
    counted: each.flatMap(({ counted }) => counted),
  };
}

function lateDaysOfStart(
  analysis: Start,
  plans: Plans,
  late: readonly LateEvents[],
  from: number,
): Late {
  const { dueDay, start } = analysis;
  const seen = everyMetric(analysis.settings).flatMap((each) => {
    const plan = plans.get(each.metric);
    if (!plan || !isPlanned(plan)) return [];
    return late
      .filter(({ name }) => plan.events.includes(name))
      .map(({ day }) => ({ each, day, range: daysThatSee(plan, each.rollup, day) }));
  });
  const days = seen
    .filter(({ day }) => day >= from && day < dueDay)
    .flatMap(({ each, range }) => loadedDays(analysis, [each], range));
  const metrics = seen
    .filter(({ range }) => range.from <= dueDay && range.to >= dueDay)
    .map(({ each }) => each);
  const names = new Set(
    [...plans.values()].flatMap((plan) => (isPlanned(plan) ? plan.events : [])),
  );
  const lateEvents = { ...analysis.lateEvents };
  const own = late.filter(
    ({ name, day }) => names.has(name) && day >= dayOfTime(start) && day < dueDay,
  );
  for (const { name, events } of own) lateEvents[name] = (lateEvents[name] ?? 0) + events;
  const counted = own.length > 0 ? [{ ...analysis, lateEvents }] : [];
  const next = metrics.length > 0 ? [{ analysis, ds: dueDay, metrics }] : [];
  return { days, next, counted };
}

/** Returns the statements that store how many late events each analysis has. */
export const storeLateEvents: (counted: readonly Start[]) => Statement[] = overRows(
  (given, isGiven) =>
    statement(sql`
      update analyses set lateEvents = (select value -> 'lateEvents' from ${given}
        where value ->> 'kind' = analyses.kind and value ->> 'id' = analyses.id and value ->> 'start' = analyses.start)
      where ${isGiven([analyses.kind, analyses.id, analyses.start])}`),
);

const readStored = ({ kind, id, start }: Start, from: number) =>
  once(
    query
      .select({
        ds: analysisExposures.ds,
        group: analysisExposures.group,
        exposures: analysisExposures.exposures,
        firstTimes: analysisExposures.firstTimes,
      })
      .from(analysisExposures)
      .where(
        and(
          eq(analysisExposures.kind, kind),
          eq(analysisExposures.id, id),
          eq(analysisExposures.start, start),
          gte(analysisExposures.ds, from),
          eq(analysisExposures.dimension, ''),
        ),
      ),
  );

interface LateCount {
  ds: number;
  group: string;
  exposures: number;
  firstTimes: number;
}

const lateExposureKey = ({ ds, group }: LateCount) => JSON.stringify([ds, group]);

function firstChanged(
  stored: readonly LateCount[],
  present: readonly LateCount[],
): number | undefined {
  const known = new Map(stored.map((row) => [lateExposureKey(row), row]));
  const changed = present.filter((row) => {
    const before = known.get(lateExposureKey(row)) ?? { exposures: 0, firstTimes: 0 };
    known.delete(lateExposureKey(row));
    return before.exposures !== row.exposures || before.firstTimes !== row.firstTimes;
  });
  const gone = [...known.values()].filter(({ exposures }) => exposures > 0);
  const days = [...changed, ...gone].map(({ ds }) => ds);
  return days.length > 0 ? Math.min(...days) : undefined;
}

/** Returns the loaded days from the first with late exposures on. An unchanged count and sum is an unchanged day. */
export async function daysOfLateExposures(load: LoadJob, analysis: Start): Promise<DueDay[]> {
  const { loadedDay, dueDay, settings } = analysis;
  if (loadedDay === null) return [];
  const from = firstReloaded(load.now);
  const isClosed = ({ ds }: LateCount) => ds >= from && ds < dueDay;
  const [stored, present] = await load.db.read(
    readStored(analysis, from),
    statement(exposuresByDay(dayScope(analysis, dueDay - 1)), (row) => ({
      ds: Number(row.ds),
      group: String(row.g),
      exposures: Number(row.exposures),
      firstTimes: Number(row.firstTimes),
    }))(),
  );
  const first = firstChanged(stored.filter(isClosed), present.filter(isClosed));
  if (first === undefined) return [];
  return loadedDays(analysis, everyMetric(settings), { from: first, to: Number.POSITIVE_INFINITY });
}
