import { type SQL, sql } from 'drizzle-orm';
import { dayLength } from '../../base/time.ts';
import { constant } from '../../platform/store/sql/expressions.ts';
import {
  criterionSQL,
  eventNumber,
  metadataNumber,
  metadataText,
  needsEvent,
} from '../plan/criteria.ts';
import type { MetricSource, Term, Window } from '../plan/plan.ts';

export interface Period {
  from: SQL[];
  to: SQL[];
}

const exposureDay = sql`x.t - x.t % 86400000`;

const shifted = (base: SQL, milliseconds: number): SQL =>
  milliseconds === 0
    ? base
    : sql`${base} ${sql.raw(milliseconds < 0 ? '-' : '+')} ${constant(Math.abs(milliseconds))}`;

/** The period that counts for a metric: from the exposure to the end, within its window and the rollup. */
export function periodOf(window: Window | null, end: number, rollupStart: number | null): Period {
  const base = window?.since === 'day' ? exposureDay : sql`x.t`;
  const opens = !window || window.from <= 0 ? [] : [shifted(base, window.from)];
  return {
    from: [sql`x.t`, ...opens, ...(rollupStart === null ? [] : [constant(rollupStart)])],
    to: [constant(end), ...(window ? [shifted(base, window.to)] : [])],
  };
}

/** The days before the day of the exposure. */
export const pastPeriod = (days: number): Period => ({
  from: [shifted(exposureDay, -days * dayLength)],
  to: [exposureDay],
});

export const least = (name: 'max' | 'min', [first, ...others]: SQL[]): SQL =>
  others.length === 0
    ? sql`${first}`
    : sql`${sql.raw(name)}(${sql.join([first ?? sql`null`, ...others], sql`, `)})`;

const both = (conditions: SQL[]): SQL => sql.join(conditions, sql` and `);

export const isOf = ({ event, criteria }: MetricSource): SQL =>
  both([sql`e.name = ${event}`, ...criteria.map(criterionSQL)]);

/** SQLite enters the key of event_units by name, so several names are listed before their criteria. */
function isOfAny(sources: readonly MetricSource[]): SQL {
  const [source, ...others] = sources;
  if (source && others.length === 0) return isOf(source);
  const names = sources.map(({ event }) => sql`${event}`);
  const each = sources.map((one) => sql`(${isOf(one)})`);
  return sql`e.name in (${sql.join(names, sql`, `)}) and (${sql.join(each, sql` or `)})`;
}

/** The events of a unit. `cross join` keeps the order: SQLite would otherwise start from the events of a name. */
export function eventsSQL(
  unitType: string,
  sources: readonly MetricSource[],
  period: Period,
  joinsEvents: boolean,
): SQL {
  const joins = joinsEvents || sources.some(({ criteria }) => criteria.some(needsEvent));
  const events = joins ? sql` cross join events v on v.seq = e.seq` : sql``;
  return sql`event_units e${events}
    where e.unitType = ${unitType} and e.unitID = x.unit
      and ${eventsWithin(period)}
      and ${isOfAny(sources)}`;
}

function bySource(sources: readonly MetricSource[], of: (source: MetricSource) => SQL): SQL {
  const [first, ...others] = sources;
  if (!first) return sql`null`;
  if (others.every(({ key }) => key === first.key)) return of(first);
  const cases = sources.map((source) => sql`when ${isOf(source)} then ${of(source)}`);
  return sql`case ${sql.join(cases, sql` `)} end`;
}

export const numberOfSource = ({ key }: MetricSource): SQL =>
  key ? metadataNumber(key) : eventNumber;
const textOfSource = ({ key }: MetricSource): SQL =>
  key ? metadataText(key) : sql`nullif(v.value, '')`;

const readsMetadata = (sources: readonly MetricSource[]) => sources.some(({ key }) => key !== null);

const sumOver = (sources: readonly MetricSource[], of: (source: MetricSource) => SQL): SQL =>
  sources.length === 1
    ? bySource(sources, of)
    : sql.join(
        sources.map((source) => sql`${of(source)} filter (where ${isOf(source)})`),
        sql` + `,
      );

function aggregateSQL({ aggregate, sources }: Term): SQL | undefined {
  switch (aggregate) {
    case 'count':
      return sumOver(sources, () => sql`count(*)`);
    case 'any':
      return sql`count(*)`;
    case 'sum':
      return sumOver(sources, (source) => sql`total(${numberOfSource(source)})`);
    case 'numbers':
      return sql`count(${bySource(sources, numberOfSource)})`;
    case 'days':
    case 'daily_share':
      return sql`count(distinct e.timestamp / 86400000)`;
    case 'distinct':
      return sql`count(distinct ${bySource(sources, textOfSource)})`;
    case 'max':
    case 'min':
      return sql`${sql.raw(aggregate)}(${bySource(sources, numberOfSource)})`;
    default:
      return undefined;
  }
}

const readsEvents = ({ aggregate, sources }: Term): boolean =>
  aggregate === 'distinct' ||
  (!['count', 'any', 'days', 'daily_share'].includes(aggregate) && readsMetadata(sources));

/** Returns a correlated subquery for the number of a term in a period; `x` is the unit. */
export function termSQL(unitType: string, term: Term, period: Period): SQL {
  const { aggregate, sources, cap } = term;
  const events = eventsSQL(unitType, sources, period, readsEvents(term));
  const value = aggregateSQL(term);
  if (value && cap !== null)
    return sql`(select total(min(day, ${cap})) from (
      select ${value} as day from ${events} group by e.timestamp / 86400000))`;
  if (value) return sql`(select ${value} from ${events})`;
  const number = bySource(sources, numberOfSource);
  const order = aggregate === 'first' ? sql`` : sql` desc`;
  return sql`(select ${number} from ${events} and ${number} is not null
      order by e.timestamp${order}, e.seq${order} limit 1)`;
}

const eventsWithin = ({ from, to }: Period): SQL =>
  sql`e.timestamp >= ${least('max', from)} and e.timestamp < ${least('min', to)}`;

/** Returns a subquery for numbers after and before the exposure, and events without one, as one text with 17 digits. */
export function bothTermsSQL(unitType: string, term: Term, after: Period, past: Period): SQL {
  const value = aggregateSQL(term) ?? sql`null`;
  const events = eventsSQL(
    unitType,
    term.sources,
    { from: past.from, to: after.to },
    readsEvents(term),
  );
  const number = bySource(term.sources, numberOfSource);
  const skipped =
    term.aggregate === 'sum'
      ? sql`count(*) filter (where ${eventsWithin(after)} and ${number} is null)`
      : sql`0`;
  return sql`(select printf('%!.17g %!.17g %d', ${value} filter (where ${eventsWithin(after)}),
        ${value} filter (where ${eventsWithin(past)}), ${skipped}) from ${events})`;
}

/** Whether `bothTermsSQL` can read a term. */
export const isOneFunction = (term: Term): boolean =>
  term.cap === null && aggregateSQL(term) !== undefined;

/** Returns a correlated subquery for the number of events without a number; undefined if none is needed. */
export function skippedSQL(unitType: string, term: Term, period: Period): SQL | undefined {
  if (term.aggregate !== 'sum') return undefined;
  const events = eventsSQL(unitType, term.sources, period, readsEvents(term));
  return sql`(select count(*) from ${events} and ${bySource(term.sources, numberOfSource)} is null)`;
}
