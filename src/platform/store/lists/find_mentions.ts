import { eq, getTableColumns, or, sql } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import type { Entity } from '../core/entity.ts';
import type { Kind } from '../core/kind.ts';
import { mentionsIn } from '../core/mentions.ts';
import type { Reads } from '../core/reads.ts';
import type { SQLCondition } from '../sql/statement.ts';
import type { MentionedID } from './name_usage.ts';

function mayMention(
  { table, model: { mentions } }: Kind<Entity>,
  { kind, id }: MentionedID,
): SQLCondition | undefined {
  const properties = mentions.fields[kind]?.properties ?? [];
  const columns = Object.values<SQLiteColumn>(getTableColumns(table)).flatMap((column) => {
    if (mentions.opaque.has(column.name)) return [];
    if (column.dataType === 'json') return [sql`instr(${column}, ${sql.placeholder('json')})`];
    // The author of the text may have escaped any letter.
    if (column.name.endsWith('JSON'))
      return [sql`instr(${column}, ${sql.placeholder('name')})`, sql`instr(${column}, ${'\\'})`];
    return properties.includes(column.name) ? [eq(column, sql.placeholder('name'))] : [];
  });
  const where = or(...columns);
  if (!where) return undefined;
  return { name: `may mention ${kind}`, where, values: { name: id, json: JSON.stringify(id) } };
}

export interface Mention {
  kind: Kind<Entity>;
  entity: Entity;
  property: string;
}

/** Returns the first mention of a name in an entity, if any. */
export const mentionIn = (of: Kind<Entity>, entity: Entity, name: MentionedID) =>
  mentionsIn(of, entity).find(({ kind, id }) => kind === name.kind && id === name.id);

/** Finds all entities that mention a name. Reads every row; a change of a kind meanwhile restarts the request. */
export async function findMentions(
  tx: Reads,
  kinds: readonly Kind<Entity>[],
  name: MentionedID,
): Promise<Mention[]> {
  const found = await Promise.all(
    kinds.map(async (kind) => {
      const condition = mayMention(kind, name);
      const entities = condition
        ? await tx.findAll(kind, condition, (entity) => mentionIn(kind, entity, name) !== undefined)
        : [];
      return entities.flatMap((entity) => {
        const mention = mentionIn(kind, entity, name);
        return mention ? [{ kind, entity, property: mention.property }] : [];
      });
    }),
  );
  return found.flat();
}
