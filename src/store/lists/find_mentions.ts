import { eq, getTableColumns, or, sql } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import type { Entity } from '../core/entity.ts';
import type { Kind } from '../core/kind.ts';
import { namesIn, opaque, sayers } from '../core/mentions.ts';
import type { Reads } from '../core/reads.ts';
import type { Condition } from '../sql/statement.ts';
import type { SaidName } from './name_usage.ts';

/** The condition for rows that may mention a name; undefined if no column of the kind could. */
function mayMention({ table }: Kind<Entity>, { kind, id }: SaidName): Condition | undefined {
  const properties: readonly string[] = sayers[kind].properties;
  const columns = Object.values<SQLiteColumn>(getTableColumns(table)).flatMap((column) => {
    if (opaque.has(column.name)) return [];
    if (column.dataType === 'json') return [sql`instr(${column}, ${sql.placeholder('json')})`];
    // The author of the text may have escaped any letter.
    if (column.name.endsWith('JSON'))
      return [sql`instr(${column}, ${sql.placeholder('said')})`, sql`instr(${column}, ${'\\'})`];
    return properties.includes(column.name) ? [eq(column, sql.placeholder('said'))] : [];
  });
  const where = or(...columns);
  if (!where) return undefined;
  return { name: `may say ${kind}`, where, values: { said: id, json: JSON.stringify(id) } };
}

/** An entity that mentions a name. */
export interface Mention {
  kind: Kind<Entity>;
  entity: Entity;
  /** The first property that mentions it. */
  property: string;
}

/** Returns the first mention of a name in an entity, if any. */
export const saidIn = (entity: Entity, name: SaidName) =>
  namesIn(entity).find(({ kind, id }) => kind === name.kind && id === name.id);

/**
 * Finds all entities that mention a name, at any depth. Reads every row, in one round trip. If one of the kinds
 * changes before the commit, the request is computed again.
 */
export async function mentionsOf(
  tx: Reads,
  kinds: readonly Kind<Entity>[],
  name: SaidName,
): Promise<Mention[]> {
  const found = await Promise.all(
    kinds.map(async (kind) => {
      const condition = mayMention(kind, name);
      const entities = condition
        ? await tx.findAll(kind, condition, (entity) => saidIn(entity, name) !== undefined)
        : [];
      return entities.flatMap((entity) => {
        const said = saidIn(entity, name);
        return said ? [{ kind, entity, property: said.property }] : [];
      });
    }),
  );
  return found.flat();
}
