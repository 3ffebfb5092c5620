import { sql } from 'drizzle-orm';
import type { Database } from '../../platform/store/sql/database.ts';
import { jsonArrays } from '../../platform/store/sql/rows.ts';
import { statement } from '../../platform/store/sql/statement.ts';
import type { Exposure } from './table.ts';

const readContradicted = statement<{ place: number }>(sql`
  select given.value->>'place' as place from json_each(${sql.placeholder('rows')}) as given
  where exists (select 1 from exposures as other
    where other.kind = given.value->>'kind' and other.id = given.value->>'id'
      and other.start = given.value->>'start' and other.unitType = given.value->>'unitType'
      and other.unit = given.value->>'unit' and other."group" <> given.value->>'group'
      and coalesce(other."group" = given.value->>'rival', true)
      and other.sender in ('server', 'management', 'import'))`);

/** The only group that contradicts the group of an exposure; null for every other group of its entity. */
function rivalOf({ kind, group }: Exposure): string | null {
  if (kind !== 'gate') return null;
  const [, rule = '', side] = /^(.*):(on|off)$/s.exec(group) ?? [];
  return `${rule}:${side === 'on' ? 'off' : 'on'}`;
}

/** Shares of an autotune move, so that a unit may see several variants. */
const isContradictable = ({ sender, kind }: Exposure) => sender === 'client' && kind !== 'autotune';

/**
 * Separates the exposures of clients whose unit another sender reported in another group: a client key is public, so
 * that it decides nothing against a server. One round trip, none without exposures of clients.
 */
export async function withoutContradicted(
  read: Database['read'],
  exposures: readonly Exposure[],
): Promise<{ kept: Exposure[]; contradicted: Exposure[] }> {
  const given = exposures.flatMap((exposure, place) => {
    const { attributes: _, firstTime: _time, draw: _draw, ...key } = exposure;
    return isContradictable(exposure) ? [{ ...key, rival: rivalOf(exposure), place }] : [];
  });
  const reads = jsonArrays(given).map((rows) => readContradicted({ rows }));
  const found = reads.length > 0 ? await read(...reads) : [];
  const places = new Set(found.flat().map(({ place }) => place));
  return {
    kept: exposures.filter((_, place) => !places.has(place)),
    contradicted: exposures.filter((_, place) => places.has(place)),
  };
}
