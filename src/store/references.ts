import { type SQL, sql } from 'drizzle-orm';
import { Problem } from '../problem.ts';
import type { Collection } from './collection.ts';
import type { Entity } from './columns.ts';
import type { Anchor, Reference } from './naming.ts';
import { anchors, refs } from './tables.ts';
import { type NetChange, netChanges, type Transaction } from './transaction.ts';

interface RefRow {
  toKind: string;
  toID: string;
  fromKind: string;
  fromID: string;
  field: string;
}

/** Kinds that come into being by themselves, in events and warehouses: referred to, but not checked to exist. */
const unchecked = new Set(['tag', 'target_app', 'metric']);

function anchorsOf(collection: Collection<Entity>, entity: Entity | undefined): Anchor[] {
  if (!entity || !collection.isReferable(entity)) return [];
  return [{ kind: collection.kind, id: entity.id }, ...collection.parts(entity)];
}

const anchorKey = ({ kind, id }: Anchor) => `${kind}:${id}`;

function refRow({ collection, id }: NetChange, reference: Reference): RefRow {
  const field = reference.property.split('.')[0] ?? '';
  return {
    toKind: reference.kind,
    toID: reference.id,
    fromKind: collection.kind,
    fromID: id,
    field,
  };
}

const refKey = (row: RefRow) =>
  JSON.stringify(row, ['toKind', 'toID', 'fromKind', 'fromID', 'field']);

const byKey = <T>(items: T[], key: (item: T) => string) =>
  new Map(items.map((item) => [key(item), item]));

const without = <T>(items: Map<string, T>, others: Map<string, T>) =>
  [...items].filter(([key]) => !others.has(key)).map(([, item]) => item);

/** What a transaction adds to and takes from the anchors and references. */
function linkChanges(net: NetChange[]) {
  const anchorsBefore = net.flatMap(({ collection, before }) => anchorsOf(collection, before));
  const anchorsAfter = net.flatMap(({ collection, after }) => anchorsOf(collection, after));
  const rows = (side: 'before' | 'after') =>
    net.flatMap((change) => {
      const entity = change[side];
      return entity ? change.collection.references(entity).map((ref) => refRow(change, ref)) : [];
    });
  const [a0, a1] = [byKey(anchorsBefore, anchorKey), byKey(anchorsAfter, anchorKey)];
  const [r0, r1] = [byKey(rows('before'), refKey), byKey(rows('after'), refKey)];
  return {
    anchors: { added: without(a1, a0), removed: without(a0, a1) },
    refs: { added: without(r1, r0), removed: without(r0, r1) },
  };
}

const refColumns = sql.raw('toKind, toID, fromKind, fromID, field');
const refValues = sql.raw(
  "value->>'toKind', value->>'toID', value->>'fromKind', value->>'fromID', value->>'field'",
);

/**
 * Brings references and anchors up to date, in the order that lets the triggers see the final state: what goes
 * first, then what comes; `around` stands between the two.
 */
export function linkStatements(net: NetChange[], around: SQL[]): SQL[] {
  const links = linkChanges(net);
  const each = (items: object[], statement: (json: string) => SQL) =>
    items.length > 0 ? [statement(JSON.stringify(items))] : [];
  return [
    ...each(
      links.refs.removed,
      (json) =>
        sql`delete from ${refs} where (${refColumns}) in (select ${refValues} from json_each(${json}))`,
    ),
    ...each(
      links.anchors.removed,
      (json) =>
        sql`delete from ${anchors} where (kind, id) in
            (select value->>'kind', value->>'id' from json_each(${json}))`,
    ),
    ...around,
    ...each(
      links.anchors.added,
      (json) =>
        sql`insert into ${anchors} (kind, id)
            select value->>'kind', value->>'id' from json_each(${json})`,
    ),
    ...each(
      links.refs.added,
      (json) =>
        sql`insert into ${refs} (${refColumns}) select ${refValues} from json_each(${json})`,
    ),
  ];
}

/**
 * Says why the triggers refused a transaction: 409 with the referrers of what it would take away, 400 naming the
 * properties that refer to nothing. Answers nothing where that is no longer so, and the change can be tried again.
 */
export async function explainRefusal(tx: Transaction): Promise<Problem | undefined> {
  const net = netChanges(tx.changes);
  const links = linkChanges(net);
  const [referrers, known] = await tx.read<[RefRow, Anchor]>(
    sql`select ${refColumns} from ${refs} where (toKind, toID) in
        (select value->>'kind', value->>'id' from json_each(${JSON.stringify(links.anchors.removed)}))`,
    sql`select kind, id from ${anchors} where (kind, id) in
        (select value->>'toKind', value->>'toID' from json_each(${JSON.stringify(links.refs.added)}))`,
  );
  const gone = byKey(links.refs.removed, refKey);
  const remaining = referrers.filter((row) => !gone.has(refKey(row)));
  if (remaining.length > 0) return inUse(remaining);
  const anchored = byKey([...known, ...links.anchors.added], anchorKey);
  return unknownReferences(net, anchored);
}

function inUse(rows: RefRow[]): Problem {
  const references = rows.map(({ toKind, toID, fromKind, fromID, field }) => ({
    kind: fromKind,
    id: fromID,
    property: field,
    refersTo: { kind: toKind, id: toID },
  }));
  const list = references.map(({ kind, id }) => `${kind} ${id}`);
  const message = `It is referred to by ${[...new Set(list)].slice(0, 10).join(', ')}; change these first.`;
  return new Problem('in_use', message, { members: { references } });
}

function unknownReferences(net: NetChange[], known: Map<string, Anchor>): Problem | undefined {
  const errors = net.flatMap(({ collection, origin, before, after }) => {
    if (!after) return [];
    const old = byKey(before ? collection.references(before) : [], anchorKey);
    return collection
      .references(after)
      .filter((ref) => !unchecked.has(ref.kind))
      .filter((ref) => !old.has(anchorKey(ref)) && !known.has(anchorKey(ref)))
      .map(({ property, kind, id }) => ({
        property: `${origin}${property}`,
        errorMessage: `names the ${kind.replaceAll('_', ' ')} ${id}, which does not exist or is archived`,
      }));
  });
  if (errors.length === 0) return undefined;
  const message = errors.map((error) => `${error.property} ${error.errorMessage}`).join('; ');
  return new Problem('unknown_reference', `${message}.`, { errors });
}

/** A filter: entities that refer to any of `ids`, by any property or by `field`. */
export function refersTo<E extends Entity>(
  { kind, table }: Collection<E>,
  toKind: string,
  ids: readonly string[],
  field?: string,
): SQL {
  const inField = field ? sql`and field = ${field}` : sql``;
  return sql`${table.id} in (select fromID from ${refs} where toKind = ${toKind}
    and toID in (select value from json_each(${JSON.stringify(ids)})) and fromKind = ${kind} ${inField})`;
}
