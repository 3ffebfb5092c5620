import { sql } from 'drizzle-orm';
import { hourLength, startOfDay } from '../../base/time.ts';
import type { LearnedVariant } from '../../experiments/autotune_runs/table.ts';
import { type Statement, statement } from '../../platform/store/sql/statement.ts';

export interface LearnedHour {
  hour: number;
  variants: LearnedVariant[];
}

/** Selects the hours of a day in order, or the last hour before it: by default, of the latest day of the present run. */
export function readHours(
  id: string,
  { date, start }: { date?: string | undefined; start?: number | undefined },
): Statement<LearnedHour> {
  const first = date === undefined ? null : startOfDay(date) / hourLength;
  return statement(
    sql`with run(start) as materialized (
        select coalesce(${start ?? null}, (select startTime from autotunes where id = ${id}))),
      day(first) as materialized (
        select coalesce(${first}, max(hour) / 24 * 24) from run, autotune_hours h where h.id = ${id} and h.start = run.start)
      select hour, variants from run, day cross join autotune_hours h
      where h.id = ${id} and h.start = run.start and hour < day.first + 24 and hour >= min(day.first, (
        select max(hour) from autotune_hours l where l.id = ${id} and l.start = run.start and hour < day.first + 24))
      order by hour`,
    ({ hour, variants }) => ({ hour: Number(hour), variants: JSON.parse(String(variants)) }),
  )();
}
