import type { SQL } from 'drizzle-orm';
import { dayLength } from '../shared/durations.ts';
import { sumOf } from '../shared/numbers.ts';
import type { UnitValues } from '../statistics/moments.ts';
import { chainsOf, type Step } from './funnel.ts';
import type { FunnelPlan, Quantity, Term, UnitsPlan } from './plan/plan.ts';
import { eventEnd, type Scope } from './scope.ts';
import { pastOf, periodOf, skippedSQL, termSQL } from './sql/events.ts';
import { stepsSQL } from './sql/funnel.ts';

/** An exposed unit. */
export interface Unit {
  unit: string;
  group: string;
  /** When it was exposed; epoch milliseconds. */
  time: number;
  attributes: Record<string, unknown>;
}

/** The values of one unit. */
export interface Reading extends UnitValues {
  /** Events without a number. */
  skipped: number;
  /** Funnels: how many of its chains reached each step. */
  steps?: number[];
  /** Funnels: from the first step to the last. */
  seconds?: number;
}

/** The columns that a metric reads of each unit, and how its values follow from them. */
export interface Reader {
  columns: SQL[];
  /** Returns undefined if the unit does not take part in the metric. */
  read(unit: Unit, raw: readonly unknown[]): Reading | undefined;
}

const number = (value: unknown): number => (typeof value === 'number' ? value : 0);

const dayOf = (time: number) => Math.floor(time / dayLength);

interface Days {
  /** The first time that counts, apart from the unit's window. */
  from: number;
  end: number;
}

/** Returns the number of days from the exposure, or the beginning of the window, to the last day. */
function daysOf({ window }: Term, { time }: Unit, { from, end }: Days): number {
  const opens = window ? time + Math.max(0, window.from) : time;
  const closes = window ? Math.min(end, time + window.to) : end;
  return dayOf(closes - 1) - dayOf(Math.max(time, opens, from)) + 1;
}

function termValue(term: Term, raw: number, days: number): number {
  if (term.aggregate === 'any') return raw > 0 ? 1 : 0;
  if (term.aggregate === 'daily_share') return days > 0 ? raw / days : 0;
  return raw;
}

const rollupStart = ({ end }: Scope, rollup: number) =>
  rollup > 0 ? end - rollup * dayLength : null;

/** Returns the reader of a metric with numbers of units. */
function unitsReader(plan: UnitsPlan, scope: Scope, rollup: number): Reader {
  const { unitType } = scope.analysis;
  const end = eventEnd(scope, plan.bakeDays);
  const from = rollupStart(scope, rollup);
  const past = plan.pastDays === null ? undefined : pastOf(plan.pastDays);
  const columns: SQL[] = [];
  const column = (sql: SQL) => columns.push(sql) - 1;

  const presentOf = ({ terms }: Quantity) => {
    const places = terms.map((term) =>
      column(termSQL(unitType, term, periodOf(term.window, end, from))),
    );
    return (unit: Unit, raw: readonly unknown[]) =>
      sumOf(
        terms.map((term, index) => {
          const value = number(raw[places[index] ?? -1]);
          return term.sign * termValue(term, value, daysOf(term, unit, { from: from ?? 0, end }));
        }),
      );
  };
  const pastOfQuantity = ({ terms }: Quantity) => {
    if (!past) return undefined;
    const places = terms.map((term) => column(termSQL(unitType, term, past)));
    return (raw: readonly unknown[]) =>
      sumOf(
        terms.map(
          (term, index) =>
            term.sign * termValue(term, number(raw[places[index] ?? -1]), plan.pastDays ?? 0),
        ),
      );
  };
  const [y, d] = [presentOf(plan.y), plan.d && presentOf(plan.d)];
  const [x, m] = [pastOfQuantity(plan.y), plan.d ? pastOfQuantity(plan.d) : undefined];
  const skipped = plan.y.terms.flatMap((term) => {
    const sql = skippedSQL(unitType, term, periodOf(term.window, end, from));
    return sql ? [column(sql)] : [];
  });

  const isMature = ({ time }: Unit) => {
    const { matures } = plan;
    if (!matures) return true;
    const base = matures.since === 'day' ? time - (time % dayLength) : time;
    return base + matures.after <= end;
  };

  return {
    columns,
    read(unit, raw) {
      if (unit.time >= end || !isMature(unit)) return undefined;
      const value = y(unit, raw);
      const denominator = d?.(unit, raw);
      if (denominator === 0 && !plan.keepsNullDenominators) return undefined;
      if (plan.onlyConverted && value === 0) return undefined;
      const treated = transformed(plan, value);
      if (treated === undefined) return undefined;
      return {
        y: treated,
        ...(denominator !== undefined && { d: denominator }),
        ...(x && { x: transformed(plan, x(raw)) ?? 0 }),
        ...(m && { m: m(raw) }),
        skipped: sumOf(skipped.map((place) => number(raw[place]))),
      };
    },
  };
}

/** Applies the threshold and the logarithm; undefined for a number without a logarithm. */
function transformed({ threshold, logBase }: UnitsPlan, value: number): number | undefined {
  const reached = threshold === null ? value : Number(value >= threshold);
  if (logBase === null) return reached;
  return reached > 0 ? Math.log(reached) / Math.log(logBase) : undefined;
}

/** The database returns JSON that `stepsSQL` made. */
const stepsFrom = (raw: unknown): Step[] => (typeof raw === 'string' ? JSON.parse(raw) : []);

/** Returns the reader of a funnel: the ratio of the chains that finished to those that began. */
function funnelReader(plan: FunnelPlan, scope: Scope, rollup: number): Reader {
  const end = eventEnd(scope, plan.bakeDays);
  const period = periodOf(plan.window, end, rollupStart(scope, rollup));
  return {
    columns: [stepsSQL(scope.analysis.unitType, plan, period)],
    read(unit, [raw]) {
      if (unit.time >= end) return undefined;
      const { reached, duration } = chainsOf(stepsFrom(raw), plan);
      const d = reached[0] ?? 0;
      if (d === 0) return undefined;
      const hasTime = plan.measuresTime && duration !== undefined;
      return {
        y: reached.at(-1) ?? 0,
        d,
        skipped: 0,
        steps: reached,
        ...(hasTime && { seconds: duration / 1000 }),
      };
    },
  };
}

/** Returns the reader of a metric that has values of units. */
export const readerOf = (plan: UnitsPlan | FunnelPlan, scope: Scope, rollup: number): Reader =>
  plan.type === 'funnel' ? funnelReader(plan, scope, rollup) : unitsReader(plan, scope, rollup);
