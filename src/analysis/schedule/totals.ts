import { and, eq, exists, gte, not, type SQL, sql } from 'drizzle-orm';
import { sumOf } from '../../base/numbers.ts';
import { dateOfDay } from '../../base/time.ts';
import { storedUnitType } from '../../base/unit_types.ts';
import { addValues } from '../../data/metric_values/changing.ts';
import type { MetricValue } from '../../data/metric_values/schema.ts';
import type { Metric } from '../../data/metrics/schema.ts';
import { metricTable } from '../../data/metrics/table.ts';
import { hasRoom, type LoadJob } from '../../platform/scheduled/budget.ts';
import {
  compileQuery,
  query,
  type Statement,
  statement,
} from '../../platform/store/sql/statement.ts';
import { closedDay } from '../base/days.ts';
import { analysisLooks } from '../base/table.ts';
import { isPlanned, isTotal, planMetric } from '../plan/metric.ts';
import type { MetricSource, Term } from '../plan/plan.ts';
import { metricsWithComponents } from '../read/stored.ts';
import { readSourceTotals, type SourceTotal } from '../sql/totals.ts';
import { overall } from '../work/daily_totals.ts';

const firstDays = 28;

const daysOfStep = 7;

const isOfEvents = ({ cap, sources }: Term): boolean =>
  cap === null &&
  sources.every(({ criteria }) =>
    criteria.every(({ condition }) => !['after_exposure', 'before_exposure'].includes(condition)),
  );

function totalTerms(metric: Metric, find: (id: string) => Metric | undefined): Term[] {
  const [unitType = ''] = metric.unitTypes.map(storedUnitType);
  const context = { unitType, dimensions: [], cohortDays: null, waitsForCohort: false, find };
  const plan = planMetric(metric, context);
  if (!isPlanned(plan) || plan.type !== 'units' || !isTotal(plan)) return [];
  return plan.y.terms.every(isOfEvents) ? plan.y.terms : [];
}

const ofTotals = eq(analysisLooks.name, 'totals');

/** Returns the condition under which a closed day has no totals. `now` in epoch milliseconds. */
export const hasDueTotals = (now: number): SQL =>
  sql`${exists(query.select({ id: metricTable.id }).from(metricTable).limit(1))} and ${not(
    exists(
      query
        .select({ name: analysisLooks.name })
        .from(analysisLooks)
        .where(and(ofTotals, gte(analysisLooks.seq, closedDay(now)))),
    ),
  )}`;

const readLook = compileQuery(query.select().from(analysisLooks).where(ofTotals));

const storeLook = (seq: number, time: number): Statement =>
  statement(sql`
    insert into analysis_looks (name, seq, time) values ('totals', ${seq}, ${time})
    on conflict (name) do update set seq = excluded.seq, time = excluded.time`)();

const keyOfSource = (source: MetricSource) => JSON.stringify(source);

type Totals = ReadonlyMap<string, readonly SourceTotal[]>;

const totalOfDay = (terms: readonly Term[], totals: Totals, ds: number, unitType: string | null) =>
  sumOf(
    terms.flatMap(({ sign, aggregate, sources }) =>
      sources
        .flatMap((source) => totals.get(keyOfSource(source)) ?? [])
        .filter((one) => one.ds === ds && (unitType === null || one.unitTypes.includes(unitType)))
        .map(({ count, sum }) => sign * (aggregate === 'count' ? count : sum)),
    ),
  );

interface Totalled {
  metric: Metric;
  terms: Term[];
}

const valuesOfDay = ({ metric, terms }: Totalled, totals: Totals, ds: number): MetricValue[] =>
  [overall, ...metric.unitTypes]
    .map((unitType) => {
      const type = unitType === overall ? null : storedUnitType(unitType);
      return {
        ...{ metricName: metric.name, metricType: metric.type, unitType },
        ...{ value: totalOfDay(terms, totals, ds, type), numerator: null, denominator: null },
      };
    })
    .filter(({ value }) => Number.isFinite(value));

/** Stores the totals of some days, in two round trips. A value that exists stays: it may be imported. */
async function storeDays(
  { db, now }: Pick<LoadJob, 'db' | 'now'>,
  totalled: readonly Totalled[],
  range: { from: number; to: number },
): Promise<void> {
  const sources = totalled.flatMap(({ terms }) => terms.flatMap((term) => term.sources));
  const distinct = new Map(sources.map((source) => [keyOfSource(source), source]));
  const found = await Promise.all(
    [...distinct].map(async ([key, source]) => {
      const [rows] = await db.read(readSourceTotals(source, range));
      return [key, rows] as const;
    }),
  );
  const totals: Totals = new Map(found);
  const days = Array.from({ length: range.to - range.from + 1 }, (_, place) => range.from + place);
  const statements = days.flatMap((ds) => {
    const values = totalled.flatMap((each) => valuesOfDay(each, totals, ds));
    return addValues(dateOfDay(ds), values);
  });
  await db.batch(...statements, storeLook(range.to, now));
}

/** Stores the totals of the closed days that have none, as values of metrics; the next run continues. */
export async function storeTotals(load: Pick<LoadJob, 'db' | 'now' | 'left'>): Promise<void> {
  const { db, now } = load;
  const [[look], all] = await db.batch(
    readLook(),
    metricsWithComponents(sql`select id from metrics`),
  );
  const last = closedDay(now);
  const first = look ? look.seq + 1 : last - firstDays + 1;
  const byID = new Map(all.map((metric) => [metric.id, metric]));
  const totalled = all
    .map((metric) => ({ metric, terms: totalTerms(metric, (id) => byID.get(id)) }))
    .filter(({ terms }) => terms.length > 0);
  for (let from = first; from <= last && hasRoom(load, 2); from += daysOfStep)
    await storeDays(load, totalled, { from, to: Math.min(last, from + daysOfStep - 1) });
}
