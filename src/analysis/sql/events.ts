import { type SQL, sql } from 'drizzle-orm';
import { dayLength } from '../../shared/durations.ts';
import { constant } from '../../store/sql/expressions.ts';
import type { Source, Term, Window } from '../plan/plan.ts';
import { criterionSQL, metadataNumber, metadataText, needsEvent } from './criteria.ts';

/** Bounds of the time of events; each list is combined by `max` and `min`. */
export interface Period {
  from: SQL[];
  to: SQL[];
}

const exposureDay = sql`x.t - x.t % 86400000`;

const shifted = (base: SQL, milliseconds: number): SQL =>
  milliseconds === 0 ? base : sql`${base} + ${constant(milliseconds)}`;

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
export const pastOf = (days: number): Period => ({
  from: [shifted(exposureDay, -days * dayLength)],
  to: [exposureDay],
});

const least = (name: 'max' | 'min', [first, ...others]: SQL[]): SQL =>
  others.length === 0
    ? sql`${first}`
    : sql`${sql.raw(name)}(${sql.join([first ?? sql`null`, ...others], sql`, `)})`;

const both = (conditions: SQL[]): SQL => sql.join(conditions, sql` and `);

export const isOf = ({ event, criteria }: Source): SQL =>
  both([sql`e.name = ${event}`, ...criteria.map(criterionSQL)]);

/** SQLite enters the key of event_units by name, so several names are listed before their criteria. */
function isOfAny(sources: readonly Source[]): SQL {
  const [source, ...others] = sources;
  if (source && others.length === 0) return isOf(source);
  const names = sources.map(({ event }) => sql`${event}`);
  const each = sources.map((one) => sql`(${isOf(one)})`);
  return sql`e.name in (${sql.join(names, sql`, `)}) and (${sql.join(each, sql` or `)})`;
}

/**
 * The events of a unit. `cross join` keeps the order: SQLite would otherwise start from the events of a name.
 */
export function eventsOf(
  unitType: string,
  sources: readonly Source[],
  { from, to }: Period,
  readsEvents: boolean,
): SQL {
  const joins = readsEvents || sources.some(({ criteria }) => criteria.some(needsEvent));
  const events = joins ? sql` cross join events v on v.seq = e.seq` : sql``;
  return sql`event_units e${events}
    where e.unitType = ${unitType} and e.unitID = x.unit
      and e.timestamp >= ${least('max', from)} and e.timestamp < ${least('min', to)}
      and ${isOfAny(sources)}`;
}

/** Returns an expression of the events of several sources; each source has its own. */
function bySource(sources: readonly Source[], of: (source: Source) => SQL): SQL {
  const [first, ...others] = sources;
  if (!first) return sql`null`;
  if (others.every(({ key }) => key === first.key)) return of(first);
  const cases = sources.map((source) => sql`when ${isOf(source)} then ${of(source)}`);
  return sql`case ${sql.join(cases, sql` `)} end`;
}

export const numberOfSource = ({ key }: Source): SQL => (key ? metadataNumber(key) : sql`e.number`);
const textOfSource = ({ key }: Source): SQL => (key ? metadataText(key) : sql`nullif(v.value, '')`);

const capped = (value: SQL, cap: number, events: SQL): SQL =>
  sql`(select total(min(day, ${cap})) from (select ${value} as day from ${events} group by e.timestamp / 86400000))`;

/** Returns a correlated subquery for the raw number of a term in a period; `x` is the unit. */
export function termSQL(unitType: string, { aggregate, sources, cap }: Term, period: Period): SQL {
  const readsMetadata = sources.some(({ key }) => key !== null);
  const among = (reads = false) => eventsOf(unitType, sources, period, reads);
  const number = bySource(sources, numberOfSource);
  const select = (value: SQL, reads = readsMetadata) => sql`(select ${value} from ${among(reads)})`;
  switch (aggregate) {
    case 'count':
    case 'any':
      return cap === null ? select(sql`count(*)`, false) : capped(sql`count(*)`, cap, among());
    case 'sum':
      return cap === null
        ? select(sql`total(${number})`)
        : capped(sql`total(${number})`, cap, among(readsMetadata));
    case 'numbers':
      return select(sql`count(${number})`);
    case 'days':
    case 'daily_share':
      return select(sql`count(distinct e.timestamp / 86400000)`, false);
    case 'distinct':
      return select(sql`count(distinct ${bySource(sources, textOfSource)})`, true);
    case 'max':
    case 'min':
      return select(sql`${sql.raw(aggregate)}(${number})`);
    case 'first':
    case 'latest': {
      const order = aggregate === 'first' ? sql`` : sql` desc`;
      return sql`(select ${number} from ${among(readsMetadata)} and ${number} is not null
        order by e.timestamp${order}, e.seq${order} limit 1)`;
    }
  }
}

/** Returns a correlated subquery for the number of events without a number; undefined if none is needed. */
export function skippedSQL(unitType: string, { aggregate, sources }: Term, period: Period) {
  if (aggregate !== 'sum') return undefined;
  const events = eventsOf(
    unitType,
    sources,
    period,
    sources.some(({ key }) => key !== null),
  );
  return sql`(select count(*) from ${events} and ${bySource(sources, numberOfSource)} is null)`;
}
