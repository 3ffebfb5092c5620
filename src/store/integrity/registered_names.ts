import { and, eq, exists, ne, notExists, or, sql } from 'drizzle-orm';
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { Problem } from '../../problem.ts';
import { inWords } from '../../shared/english.ts';
import { faultOfName } from '../../shared/fields.ts';
import { anchorKey } from '../../shared/naming.ts';
import { isOnlyDescription, type NetChange, netChanges } from '../changes/net_changes.ts';
import { type Named, namesIn } from '../core/mentions.ts';
import type { Transaction } from '../core/transaction.ts';
import { constant, eachOf, failing, joined, property, together } from '../sql/expressions.ts';
import { jsonArrays } from '../sql/rows.ts';
import { compile, query, type Statement } from '../sql/statement.ts';
import { anchors } from '../sql/tables.ts';
import { sentProperty } from './fault_location.ts';

/** The default unit, which needs no registration. */
const given = new Set(['unit_id_type:userID']);

/** An unregistered user may own a key: a key creates its user. */
const unchecked = new Set(['user']);

/** Returns the names that a change adds to an entity, which may have had another ID before. */
function freshNames(change: Pick<NetChange, 'before' | 'twin' | 'after'>): Named[] {
  const { before, twin, after } = change;
  if (!after || isOnlyDescription(change)) return [];
  const earlier = [before, twin].flatMap((state) => (state ? namesIn(state) : []));
  const old = new Set(earlier.map(anchorKey));
  return namesIn(after).filter(
    (named) =>
      !old.has(anchorKey(named)) && !given.has(anchorKey(named)) && !unchecked.has(named.kind),
  );
}

/** How many faults a response names. */
const maxNamed = 100;

/**
 * Checks that the names added by changes can be registered. Names that an entity already had stay valid.
 * @throws Problem 400 naming each property
 */
export function requireRegistrableNames({ changes }: Transaction): void {
  const faults = changes.flatMap((change) =>
    freshNames(change).flatMap(({ id, property }) => {
      const errorMessage = faultOfName(id);
      return errorMessage ? [{ change, property, errorMessage }] : [];
    }),
  );
  const [first] = faults;
  if (!first) return;
  const errors = faults.slice(0, maxNamed).map(({ change, property, errorMessage }) => ({
    property: sentProperty(change, property),
    errorMessage,
  }));
  throw Problem.invalid(errors).from(first.change.origin);
}

const rows = eachOf(sql.placeholder('rows'));

const named = { kind: property<string>('kind'), id: property<string>('id') };

const known = query
  .select({ id: anchors.id })
  .from(anchors)
  .where(and(eq(anchors.kind, named.kind), eq(anchors.id, named.id)));

// Drizzle keeps only the columns of the first of two tables with one name, unless they are named.
const company = sqliteTable('company', { strict: integer('strict', { mode: 'boolean' }) });
const environments = sqliteTable('environments', { id: text('id') });

/** Unregistered names. If no list of environments was ever set, any environment is valid. */
const isUnknown = and(
  eq(company.strict, true),
  notExists(known),
  or(ne(named.kind, 'environment'), exists(query.select().from(environments))),
);

/**
 * Fails for the first unknown name. The company is read first, so that a company that is not strict costs no further
 * rows.
 */
const refuseUnknown = compile(
  query
    .select({
      failure: failing(joined(constant('unregistered '), together(named.id))).as('failure'),
    })
    .from(company)
    .crossJoin(rows)
    .where(isUnknown)
    .limit(1),
);

const unknownNames = compile(
  query
    .select({
      kind: named.kind.as('kind'),
      id: named.id.as('id'),
      property: property<string>('property').as('property'),
      origin: property<string>('origin').as('origin'),
    })
    .from(company)
    .crossJoin(rows)
    .where(isUnknown),
);

/** Fails the batch if the company is strict and a change adds unregistered names. */
export const nameStatements = (net: NetChange[]): Statement[] =>
  jsonArrays(net.flatMap(freshNames)).map((rows) => refuseUnknown({ rows }));

/** The failure for a name, in SQLite's quoting. */
const failureBy = (id: string) => `console: unregistered ${id.replaceAll("'", "''")}'`;

const bringingOf = ({ kind, id }: Pick<NetChange, 'kind' | 'id'>, named: Named): string =>
  JSON.stringify([kind.kind, id, named.kind, named.id]);

/** The place in the request that adds a name to an entity. */
interface Place {
  property: string;
  origin: string;
}

/**
 * Returns a function that finds the last change that adds a name; if it was added before the entity had its ID, the
 * last change that adds it to any entity.
 */
function placesIn(changes: NetChange[]): (change: NetChange, named: Named) => Place | undefined {
  const places = new Map<string, Place>();
  for (const change of changes)
    for (const named of freshNames(change)) {
      const place = { property: sentProperty(change, named.property), origin: change.origin };
      places.set(bringingOf(change, named), place).set(anchorKey(named), place);
    }
  return (change, named) => places.get(bringingOf(change, named)) ?? places.get(anchorKey(named));
}

/**
 * Names the unregistered names of a transaction: 400 with each property. If the transaction itself made the company
 * strict or removed a name, only the name that failed the batch.
 */
export async function explainUnknown(
  { changes, read }: Transaction,
  error: unknown,
): Promise<Problem> {
  const placeOf = placesIn(changes);
  const fresh = netChanges(changes).flatMap((change) =>
    freshNames(change).map((named) => ({ ...named, ...placeOf(change, named) })),
  );
  const found = (await read(...jsonArrays(fresh).map((rows) => unknownNames({ rows })))).flat();
  const registered = new Set(changes.flatMap(({ kind, after }) => registeredBy(kind, after)));
  const unknown = found.filter((named) => !registered.has(anchorKey(named)));
  const refused = fresh.filter(({ id }) => String(error).includes(failureBy(id)));
  const faults = unknown.length > 0 ? unknown : refused;
  const errors = faults.map(({ kind, id, property }) => ({
    property,
    errorMessage: `names the ${inWords(kind)} ${id}, which is not registered, and the company is strict`,
  }));
  return Problem.invalid(errors).from(faults[0]?.origin ?? '');
}

/** The names that exist after a change. */
const registeredBy = (kind: NetChange['kind'], after: NetChange['after']): string[] =>
  after ? [{ kind: kind.kind, id: after.id }, ...kind.parts(after)].map(anchorKey) : [];
