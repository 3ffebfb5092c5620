import { sql } from 'drizzle-orm';
import { compile, query, type Statement } from './statement.ts';
import { guard, refs } from './tables.ts';
import type { NetChange } from './transaction.ts';

/** The properties through which the evaluation of one entity asks for that of another. */
const evaluated = new Set(['rules', 'targetingGateID', 'inlineTargetingRulesJSON']);

const inEvaluation = sql.raw(
  `field in (${[...evaluated].map((field) => `'${field}'`).join(', ')})`,
);

/** Whether a change names something new that its evaluation depends on. */
function asksAnew({ kind, before, after }: NetChange): boolean {
  const names = (entity: NetChange['after']) =>
    (entity ? kind.references(entity) : [])
      .filter(({ property }) => evaluated.has(property.split('.')[0] ?? ''))
      .map((reference) => `${reference.kind}:${reference.id}`);
  const old = new Set(names(before));
  return names(after).some((name) => !old.has(name));
}

const [kind, id] = [sql.placeholder('kind'), sql.placeholder('id')];

// A recursive walk, which Drizzle's builder has no words for.
const refuseCircle = compile(
  query.insert(guard).select(
    sql`select 'circle' where exists (
          with recursive asking (kind, id) as (
            select ${kind}, ${id} union
            select fromKind, fromID from ${refs} join asking
            on toKind = asking.kind and toID = asking.id where ${inEvaluation})
          select 1 from asking join ${refs} on toKind = asking.kind and toID = asking.id
          where fromKind = ${kind} and fromID = ${id} and ${inEvaluation})`,
  ),
);

/** The query for an entity and all that ask for its evaluation, be it through others. */
export const askersOf = compile(
  query.select({ kind: sql<string>`kind`.as('kind'), id: sql<string>`id`.as('id') }).from(
    sql`(with recursive asking (kind, id) as (
            select ${kind} as kind, ${id} as id union
            select fromKind, fromID from ${refs} join asking
            on toKind = asking.kind and toID = asking.id where ${inEvaluation})
          select kind, id from asking)`,
  ),
);

/**
 * Refuses a batch after which the evaluation of an entity would ask for itself: it goes from the entity to all that
 * ask for it, and on to those that ask for these, and looks whether the entity is among them.
 */
export const circleStatements = (net: NetChange[]): Statement[] =>
  net.filter(asksAnew).map((change) => refuseCircle({ kind: change.kind.kind, id: change.id }));
