import { sql } from 'drizzle-orm';
import { Problem } from '../problem.ts';
import type { Entity } from './columns.ts';
import { anchorsOf, derivedChanges, refsOf } from './derived.ts';
import type { Kind } from './kind.ts';
import type { Anchor } from './naming.ts';
import type { Condition } from './reads.ts';
import { jsonArrays } from './rows.ts';
import { compile, query } from './statement.ts';
import { anchors, refs } from './tables.ts';
import { type NetChange, netChanges, type Transaction } from './transaction.ts';

/** How many referrers or properties at fault an answer names. */
const maxNamed = 100;

type Ref = typeof refs.$inferSelect;

/** Kinds that come into being by themselves, in events and warehouses: referred to, but not checked to exist. */
const unchecked = new Set(['metric']);

const anchorKey = ({ kind, id }: Anchor) => `${kind}:${id}`;

const byKey = <T>(items: T[], key: (item: T) => string) =>
  new Map(items.map((item) => [key(item), item]));

// Pairs of columns are compared with pairs of given values, which Drizzle's operators cannot say.
const referrers = compile(
  query
    .select()
    .from(refs)
    .where(
      sql`(toKind, toID) in (select value->>'kind', value->>'id' from json_each(${sql.placeholder('rows')}))`,
    ),
);

const known = compile(
  query
    .select()
    .from(anchors)
    .where(
      sql`(kind, id) in (select value->>'toKind', value->>'toID' from json_each(${sql.placeholder('rows')}))`,
    ),
);

/**
 * Says why the triggers refused a transaction: 409 with the referrers of what it would take away, 400 naming the
 * properties that refer to nothing. Answers nothing where that is no longer so, and the change can be tried again.
 */
export async function explainRefusal(tx: Transaction): Promise<Problem | undefined> {
  const net = netChanges(tx.changes);
  const [anchored, linked] = [derivedChanges(anchorsOf, net), derivedChanges(refsOf, net)];
  const [using, existing] = await Promise.all([
    tx.read(...jsonArrays(anchored.removed).map((rows) => referrers({ rows }))),
    tx.read(...jsonArrays(linked.added).map((rows) => known({ rows }))),
  ]);
  const gone = new Set(linked.removed.map((row) => JSON.stringify(row)));
  const remaining = using.flat().filter((row) => !gone.has(JSON.stringify(row)));
  if (remaining.length > 0) return inUse(remaining);
  return unknownReferences(net, byKey([...existing.flat(), ...anchored.added], anchorKey));
}

function inUse(rows: Ref[]): Problem {
  const references = rows.map(({ toKind, toID, fromKind, fromID, field }) => ({
    kind: fromKind,
    id: fromID,
    property: field,
    refersTo: { kind: toKind, id: toID },
  }));
  const list = references.map(({ kind, id }) => `${kind} ${id}`);
  const message = `It is referred to by ${[...new Set(list)].slice(0, 10).join(', ')}; change these first.`;
  return new Problem('in_use', message, { members: { references: references.slice(0, maxNamed) } });
}

function unknownReferences(net: NetChange[], existing: Map<string, Anchor>): Problem | undefined {
  const errors = net.flatMap(({ kind, origin, before, after }) => {
    if (!after) return [];
    const old = byKey(before ? kind.references(before) : [], anchorKey);
    const isKnown = (ref: Anchor) => old.has(anchorKey(ref)) || existing.has(anchorKey(ref));
    return kind
      .references(after)
      .filter((ref) => !unchecked.has(ref.kind) && !isKnown(ref))
      .filter(({ refines, id }) => refines === undefined || isKnown({ kind: refines, id }))
      .map((ref) => ({
        property: `${origin}${ref.property}`,
        errorMessage: `names the ${ref.kind.replaceAll('_', ' ')} ${ref.id}, which does not exist or is archived`,
      }));
  });
  if (errors.length === 0) return undefined;
  const said = errors.slice(0, 10).map((error) => `${error.property} ${error.errorMessage}`);
  const more = errors.length > 10 ? ` (and ${errors.length - 10} more)` : '';
  const message = `${said.join('; ')}${more}.`;
  return new Problem('unknown_reference', message, { errors: errors.slice(0, maxNamed) });
}

/** A condition: entities that refer to one of another kind, by any property or by `field`. */
export function refersTo<E extends Entity>(
  { kind, table }: Kind<E>,
  toKind: string,
  id: string,
  field?: string,
): Condition {
  const inField = field === undefined ? sql`` : sql`and field = ${field}`;
  return {
    name: `refers to ${toKind} ${field}`,
    where: sql`${table.id} in (select fromID from ${refs} where toKind = ${toKind} and toID = ${sql.placeholder('refersTo')}
      and fromKind = ${kind} ${inField})`,
    values: { refersTo: id },
  };
}
