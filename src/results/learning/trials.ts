import { type SQL, sql } from 'drizzle-orm';
import { eventNumber, metadataNumber } from '../../analysis/plan/criteria.ts';
import { hourLength } from '../../base/time.ts';
import { storedUnitType } from '../../base/unit_types.ts';
import { mergeMoments, noMoments } from '../../engine/statistics/moments.ts';
import type { CountedTrials, VariantTrials } from '../../experiments/autotune_runs/table.ts';
import type { Autotune } from '../../experiments/autotunes/schema.ts';
import { constant } from '../../platform/store/sql/expressions.ts';
import { type Statement, statement } from '../../platform/store/sql/statement.ts';
import { attributionLength, comparesValues, valueKey } from './settings.ts';

interface ChunkRow extends VariantTrials {
  variant: string | null;
  lastUnit: string;
  lastVariant: string;
}

export const noTrials: VariantTrials = { units: 0, successes: 0, mean: 0, squares: 0 };

function successes(autotune: Autotune): SQL {
  const { idType, successEvent, successEventValue } = autotune;
  const key = comparesValues(autotune) ? valueKey(autotune) : null;
  const needsEvent = successEventValue !== '' || key !== null;
  const joined = needsEvent ? sql` cross join events v on v.seq = e.seq` : sql``;
  const hasValue = successEventValue === '' ? sql`` : sql` and v.value = ${successEventValue}`;
  return sql`event_units e${joined}
    where e.unitType = ${storedUnitType(idType)} and e.unitID = x.unit and e.name = ${successEvent}
      and e.timestamp >= x.t and e.timestamp < x.t + ${constant(attributionLength(autotune))}${hasValue}`;
}

function optimizedValue(autotune: Autotune): SQL {
  if (!comparesValues(autotune)) return sql`exists (select 1 from ${successes(autotune)})`;
  const key = valueKey(autotune);
  const number = key === null ? eventNumber : metadataNumber(key);
  return sql`(select total(${number}) from ${successes(autotune)})`;
}

/** Selects the complete trials of a chunk by variant. Squares are about the mean of the variant in the chunk. */
export const readTrials = (
  autotune: Autotune,
  start: number,
  { unit, variant }: CountedTrials,
  { hour, chunkSize }: { hour: number; chunkSize: number },
): Statement<ChunkRow> =>
  statement(
    sql`with x as materialized (
      select unit, "group" as g, max(firstTime, ${constant(start)}) as t from exposures
      where kind = 'autotune' and id = ${autotune.id} and start = ${constant(start)}
        and unitType = ${storedUnitType(autotune.idType)} and (unit, "group") > (${unit}, ${variant})
      order by unit, "group" limit ${constant(chunkSize)}),
    y as materialized (
      select g, exists (select 1 from ${successes(autotune)}) as s, ${optimizedValue(autotune)} as y from x
      where t + ${constant(attributionLength(autotune))} <= ${constant(hour * hourLength)}),
    k as (select g as kg, avg(y) as k from y group by g),
    sums as (
      select g, count(*) as units, sum(s) as successes, k as mean, sum((y - k) * (y - k)) as squares
      from y join k on kg = g group by g)
    select last.unit as lastUnit, last.g as lastVariant, sums.*
    from (select unit, g from x order by unit desc, g desc limit 1) as last left join sums on true`,
    (row) => ({
      variant: row.g === null ? null : String(row.g),
      units: Number(row.units),
      successes: Number(row.successes),
      mean: Number(row.mean),
      squares: Number(row.squares),
      lastUnit: String(row.lastUnit),
      lastVariant: String(row.lastVariant),
    }),
  )();

function mergeTrials(a: VariantTrials, b: VariantTrials): VariantTrials {
  const [one, other] = [a, b].map(({ units, mean, squares }) => ({
    ...noMoments,
    n: units,
    meanY: mean,
    yy: squares,
  }));
  const { n, meanY, yy } = mergeMoments(one ?? noMoments, other ?? noMoments);
  return { units: n, successes: a.successes + b.successes, mean: meanY, squares: yy };
}

/** Returns the trials so far with those of the next chunk; undefined after the last one. */
export function withChunk(
  counted: CountedTrials,
  rows: readonly ChunkRow[],
): CountedTrials | undefined {
  const [first] = rows;
  if (!first) return undefined;
  const trials = { ...counted.trials };
  for (const { variant, units, successes: many, mean, squares } of rows)
    if (variant !== null)
      trials[variant] = mergeTrials(trials[variant] ?? noTrials, {
        units,
        successes: many,
        mean,
        squares,
      });
  return { unit: first.lastUnit, variant: first.lastVariant, trials };
}
