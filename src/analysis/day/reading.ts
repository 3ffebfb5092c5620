import type { SQL } from 'drizzle-orm';
import { dayLength, dayOfTime } from '../../base/time.ts';
import type { UnitValues } from '../../engine/statistics/moments.ts';
import type { Unit } from '../base/exposures.ts';
import { type EndScope, eventEnd } from '../base/scope.ts';
import type { FunnelPlan, Quantity, Term, UnitsPlan } from '../plan/plan.ts';
import {
  bothTermsSQL,
  isOneFunction,
  pastPeriod,
  periodOf,
  skippedSQL,
  termSQL,
} from '../sql/events.ts';
import { stepsSQL } from '../sql/funnel.ts';
import { uploadedSQL } from '../sql/uploads.ts';
import { chainsOf, type FunnelEvent } from './funnel.ts';

export interface UnitReading extends UnitValues {
  skipped: number;
  steps?: number[];
  seconds?: number;
}

export interface Reader {
  columns: SQL[];
  /** Undefined if the unit does not take part in the metric. */
  read(unit: Unit, raw: readonly unknown[]): UnitReading | undefined;
}

interface RawTerm {
  present: number;
  before: number;
  skipped: number;
}

function rawTerm(text: unknown): RawTerm {
  const [present = 0, before = 0, skipped = 0] = String(text ?? '0 0 0')
    .split(' ')
    .map(Number);
  return { present, before, skipped };
}

const number = (value: unknown): number => (typeof value === 'number' ? value : 0);

interface TimeRange {
  from: number;
  end: number;
}

function daysInWindow({ window }: Term, { time }: Unit, { from, end }: TimeRange): number {
  const base = window?.since === 'day' ? time - (time % dayLength) : time;
  const opens = window ? base + Math.max(0, window.from) : time;
  const closes = window ? Math.min(end, base + window.to) : end;
  return dayOfTime(closes - 1) - dayOfTime(Math.max(time, opens, from)) + 1;
}

function termValue(term: Term, raw: number, days: number): number {
  if (term.aggregate === 'any') return raw > 0 ? 1 : 0;
  if (term.aggregate === 'daily_share') return days > 0 ? raw / days : 0;
  return raw;
}

const rollupStart = ({ end }: EndScope, rollup: number) =>
  rollup > 0 ? end - rollup * dayLength : null;

function unitsReader(plan: UnitsPlan, scope: EndScope, rollup: number): Reader {
  const { unitType } = scope.analysis;
  const end = eventEnd(scope, plan.bakeDays);
  const from = rollupStart(scope, rollup);
  const past = plan.pastDays === null ? null : pastPeriod(plan.pastDays);
  const columns: SQL[] = [];
  const column = (sql: SQL) => columns.push(sql) - 1;

  const termOf = (term: Term, countsSkipped: boolean): ((raw: readonly unknown[]) => RawTerm) => {
    const period = periodOf(term.window, end, from);
    const { uploaded } = term;
    if (uploaded) {
      const place = column(uploadedSQL(unitType, { ...term, uploaded }, period, past));
      return (raw) => rawTerm(raw[place]);
    }
    if (past && from === null && isOneFunction(term)) {
      const place = column(bothTermsSQL(unitType, term, period, past));
      return (raw) => rawTerm(raw[place]);
    }
    const present = column(termSQL(unitType, term, period));
    const before = past && column(termSQL(unitType, term, past));
    const without = countsSkipped ? skippedSQL(unitType, term, period) : undefined;
    const skipped = without && column(without);
    const at = (raw: readonly unknown[], place: number | null | undefined) =>
      typeof place === 'number' ? number(raw[place]) : 0;
    return (raw) => ({
      present: at(raw, present),
      before: at(raw, before),
      skipped: at(raw, skipped),
    });
  };
  const quantityOf = ({ terms }: Quantity, countsSkipped: boolean) => {
    const each = terms.map((term) => ({ term, read: termOf(term, countsSkipped) }));
    return (unit: Unit, raw: readonly unknown[]): RawTerm => {
      const sum = { present: 0, before: 0, skipped: 0 };
      for (const { term, read } of each) {
        const found = read(raw);
        const days = daysInWindow(term, unit, { from: from ?? 0, end });
        sum.present += term.sign * termValue(term, found.present, days);
        sum.before += term.sign * termValue(term, found.before, plan.pastDays ?? 0);
        sum.skipped += found.skipped;
      }
      return sum;
    };
  };
  const y = quantityOf(plan.y, true);
  const d = plan.d && quantityOf(plan.d, false);

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
      const numerator = y(unit, raw);
      const denominator = d?.(unit, raw);
      if (denominator?.present === 0 && !plan.keepsNullDenominators) return undefined;
      if (plan.onlyConverted && numerator.present === 0) return undefined;
      const treated = transformed(plan, numerator.present);
      if (treated === undefined) return undefined;
      return {
        y: treated,
        ...(denominator && { d: denominator.present }),
        ...(past && { x: transformed(plan, numerator.before) ?? 0 }),
        ...(past && denominator && { m: denominator.before }),
        skipped: numerator.skipped,
      };
    },
  };
}

function transformed({ threshold, logBase }: UnitsPlan, value: number): number | undefined {
  const reached = threshold === null ? value : Number(value >= threshold);
  if (logBase === null) return reached;
  return reached > 0 ? Math.log(reached) / Math.log(logBase) : undefined;
}

/** The database returns JSON that `stepsSQL` made. */
const stepsFrom = (raw: unknown): FunnelEvent[] => (typeof raw === 'string' ? JSON.parse(raw) : []);

function funnelReader(plan: FunnelPlan, scope: EndScope, rollup: number): Reader {
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
export const readerOf = (plan: UnitsPlan | FunnelPlan, scope: EndScope, rollup: number): Reader =>
  plan.type === 'funnel' ? funnelReader(plan, scope, rollup) : unitsReader(plan, scope, rollup);
