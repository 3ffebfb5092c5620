import { sql } from 'drizzle-orm';
import type { Context } from 'hono';
import type * as z from 'zod';
import { Problem } from '../../base/problem.ts';
import { dayLength, hourLength, startOfDay } from '../../base/time.ts';
import { rateArm } from '../../engine/statistics/bandit.ts';
import { normalQuantile } from '../../engine/statistics/distributions.ts';
import type { LearnedVariant } from '../../experiments/autotune_runs/table.ts';
import type { Autotune } from '../../experiments/autotunes/schema.ts';
import { autotunes } from '../../experiments/autotunes/table.ts';
import type { Service } from '../../platform/env.ts';
import { openReads } from '../../platform/http/transact.ts';
import { readEntity } from '../../platform/store/entities/entities.ts';
import { type Statement, statement } from '../../platform/store/sql/statement.ts';
import type { autotuneResults, autotuneResultsQuery } from './schema.ts';
import { comparesValues, explorationEnd } from './settings.ts';
import { presentShares } from './shares.ts';
import { noTrials } from './trials.ts';

interface LearnedHour {
  hour: number;
  variants: LearnedVariant[];
}

/** Selects the hours of a day in order, or the last hour before it: by default, of the latest day of the present run. */
function readHours(
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

type AutotuneResults = z.output<typeof autotuneResults>;

function intervalOf({ units, successes, mean, squares }: LearnedVariant, isOfValues: boolean) {
  if (!isOfValues) return units > 0 ? rateArm(successes, units).interval : null;
  if (units < 2 || squares <= 0) return null;
  const reach = normalQuantile(0.975) * Math.sqrt(squares / (units - 1) / units);
  return { lower: mean - reach, upper: mean + reach };
}

const variantResult = (
  variant: LearnedVariant,
  isOfValues: boolean,
): AutotuneResults['variants'][number] => ({
  name: variant.name,
  units: variant.units,
  successes: variant.successes,
  rate: variant.units > 0 ? variant.successes / variant.units : null,
  mean: isOfValues && variant.units > 0 ? variant.mean : null,
  interval: intervalOf(variant, isOfValues),
  probabilityOfBest: variant.probabilityOfBest,
  allocation: variant.allocation,
});

function hourResult({ hour, variants }: LearnedHour): AutotuneResults['hours'][number] {
  return {
    time: hour * hourLength,
    variants: variants.map(({ name, units, successes, probabilityOfBest, allocation }) => ({
      ...{ name, units, successes, probabilityOfBest, allocation },
    })),
  };
}

function unlearned(autotune: Autotune): LearnedVariant[] {
  const shares = presentShares(autotune);
  return autotune.variants.map(({ name }, place) => ({
    ...{ name, ...noTrials, probabilityOfBest: null, allocation: shares[place] ?? 0 },
  }));
}

const unusedAutotuneSettings = ({ isContextual, featureList }: Autotune): string[] => [
  ...(isContextual ? ['not_used: isContextual'] : []),
  ...(featureList.length > 0 ? ['not_used: featureList'] : []),
];

/** @throws Problem 409 before the start, 404 for an unknown earlier run, 400 naming the date */
function requireRun(
  { id, startTime }: Autotune,
  hours: readonly LearnedHour[],
  { start, date }: z.output<typeof autotuneResultsQuery>,
): number {
  const present = start ?? startTime;
  if (present === null) throw new Problem('transition', `The autotune ${id} has not started.`);
  if (hours.length === 0 && start !== undefined && start !== startTime)
    throw new Problem('not_found', `The autotune ${id} has no run with the start ${start}.`);
  if (date === undefined) return present;
  if (startOfDay(date) + dayLength <= present)
    throw Problem.property('date', 'must not be before the start');
  if (startOfDay(date) > Date.now()) throw Problem.property('date', 'must not be in the future');
  return present;
}

/** Returns what an autotune has learned until the latest hour, or until the end of a day. One round trip. */
export async function learnedResults(
  c: Context<Service>,
  id: string,
  query: z.output<typeof autotuneResultsQuery>,
): Promise<AutotuneResults> {
  const tx = openReads(c);
  const [autotune, [hours]] = await Promise.all([
    readEntity(tx, autotunes, id),
    tx.read(readHours(id, query)),
  ]);
  const start = requireRun(autotune, hours, query);
  const last = hours.at(-1);
  const isOfValues = comparesValues(autotune);
  const firstHour = query.date === undefined ? 0 : startOfDay(query.date) / hourLength;
  return {
    time: last ? last.hour * hourLength : null,
    explorationEndTime: explorationEnd(autotune, start),
    variants: (last?.variants ?? unlearned(autotune)).map((one) => variantResult(one, isOfValues)),
    hours: hours.filter(({ hour }) => hour >= firstHour).map(hourResult),
    warnings: unusedAutotuneSettings(autotune),
  };
}
