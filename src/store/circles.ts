import { type SQL, sql } from 'drizzle-orm';
import { refs } from './tables.ts';
import type { NetChange } from './transaction.ts';

/** The properties through which the evaluation of one entity asks for that of another. */
const evaluated = new Set(['rules', 'targetingGateID', 'inlineTargetingRulesJSON']);

const inEvaluation = sql.raw(
  `field in (${[...evaluated].map((field) => `'${field}'`).join(', ')})`,
);

/** Whether a change names something new that its evaluation depends on. */
function asksAnew({ collection, before, after }: NetChange): boolean {
  const names = (entity: NetChange['after']) =>
    (entity ? collection.references(entity) : [])
      .filter(({ property }) => evaluated.has(property.split('.')[0] ?? ''))
      .map(({ kind, id }) => `${kind}:${id}`);
  const old = new Set(names(before));
  return names(after).some((name) => !old.has(name));
}

/**
 * Refuses a batch after which the evaluation of an entity would ask for itself: it goes from the entity to all that
 * ask for it, and on to those that ask for these, and looks whether the entity is among them.
 */
export const circleStatements = (net: NetChange[]): SQL[] =>
  net.filter(asksAnew).map(
    ({ collection: { kind }, id }) =>
      sql`insert into guard (reason) select 'circle' where exists (
            with recursive asking (kind, id) as (
              select ${kind}, ${id} union
              select fromKind, fromID from ${refs} join asking
              on toKind = asking.kind and toID = asking.id where ${inEvaluation})
            select 1 from asking join ${refs} on toKind = asking.kind and toID = asking.id
            where fromKind = ${kind} and fromID = ${id} and ${inEvaluation})`,
  );
