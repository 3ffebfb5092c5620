import { and, eq, gte, sql } from 'drizzle-orm';
import type { Analysis } from '../resources/analyses/table.ts';
import { dayLength } from '../shared/durations.ts';
import { constant } from '../store/sql/expressions.ts';
import { once, query, type Statement, statement } from '../store/sql/statement.ts';
import { closedDay, reloadedDays } from './days.ts';
import { type DueDay, everyMetric, loadedDays } from './due.ts';
import type { Load } from './job.ts';
import { isPlanned } from './plan/metric.ts';
import type { MetricPlan } from './plan/plan.ts';
import { metricsOf, plansOf, readMetrics } from './plans.ts';
import { scopeOf } from './scope.ts';
import { exposuresByDay } from './sql/units.ts';
import { analysisExposures } from './table.ts';

export interface LateEvents {
  name: string;
  day: number;
}

/** Selects names and days of the events between two numbers, before a day. */
export const readLateEvents = (
  after: number,
  upTo: number,
  before: number,
): Statement<LateEvents> =>
  statement(
    sql`select name, timestamp / 86400000 as day from events
      where seq > ${constant(after)} and seq <= ${constant(upTo)} and timestamp < ${constant(before * dayLength)}
      group by name, day`,
    (row) => ({ name: String(row.name), day: Number(row.day) }),
  )();

const firstReloaded = (now: number): number => closedDay(now) - reloadedDays + 1;

/** A past is part of all later results. */
function daysThatSee(plan: MetricPlan, rollup: number, day: number) {
  const hasPast = plan.type === 'units' && plan.pastDays !== null;
  const isForever = rollup === -1 || hasPast;
  return { from: day, to: isForever ? Number.POSITIVE_INFINITY : day + rollup - 1 };
}

/** Returns the loaded days and metrics that can see late events. */
export async function daysOfLateEvents(
  load: Load,
  open: readonly Analysis[],
  late: readonly LateEvents[],
): Promise<DueDay[]> {
  const recent = late.filter(({ day }) => day >= firstReloaded(load.now));
  const loaded = open.filter(({ loadedDay }) => loadedDay !== null);
  if (recent.length === 0 || loaded.length === 0) return [];
  const found = await readMetrics(
    load,
    loaded.flatMap(({ settings }) => metricsOf(settings)),
  );
  return loaded.flatMap((analysis) => {
    const plans = plansOf(analysis, found);
    return everyMetric(analysis.settings).flatMap((each) => {
      const plan = plans.get(each.metric);
      if (!plan || !isPlanned(plan)) return [];
      return recent
        .filter(({ name, day }) => plan.events.includes(name) && day < analysis.dueDay)
        .flatMap(({ day }) => loadedDays(analysis, [each], daysThatSee(plan, each.rollup, day)));
    });
  });
}

const readStored = ({ kind, id, start }: Analysis, from: number) =>
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

interface Counted {
  ds: number;
  group: string;
  exposures: number;
  firstTimes: number;
}

const keyOf = ({ ds, group }: Counted) => JSON.stringify([ds, group]);

function firstChanged(stored: readonly Counted[], present: readonly Counted[]): number | undefined {
  const known = new Map(stored.map((row) => [keyOf(row), row]));
  const changed = present.filter((row) => {
    const before = known.get(keyOf(row)) ?? { exposures: 0, firstTimes: 0 };
    known.delete(keyOf(row));
    return before.exposures !== row.exposures || before.firstTimes !== row.firstTimes;
  });
  const gone = [...known.values()].filter(({ exposures }) => exposures > 0);
  const days = [...changed, ...gone].map(({ ds }) => ds);
  return days.length > 0 ? Math.min(...days) : undefined;
}

/** Returns the loaded days from the first with late exposures on. An unchanged count and sum is an unchanged day. */
export async function daysOfLateExposures(load: Load, analysis: Analysis): Promise<DueDay[]> {
  const { loadedDay, dueDay, settings } = analysis;
  if (loadedDay === null) return [];
  const from = firstReloaded(load.now);
  const isClosed = ({ ds }: Counted) => ds >= from && ds < dueDay;
  const [stored, present] = await load.db.batch(
    readStored(analysis, from),
    statement(exposuresByDay(scopeOf(analysis, dueDay - 1)), (row) => ({
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
