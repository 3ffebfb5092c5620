import { and, eq, exists, ne, notExists, or, sql } from 'drizzle-orm';
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { Problem } from '../../problem.ts';
import { inWords } from '../../shared/english.ts';
import { faultOfName } from '../../shared/fields.ts';
import { anchorKey } from '../../shared/naming.ts';
import { type NetChange, netChanges } from '../changes/net_changes.ts';
import { type Named, namesIn } from '../core/mentions.ts';
import type { Transaction } from '../core/transaction.ts';
import { constant, eachOf, failing, joined, property, together } from '../sql/expressions.ts';
import { jsonArrays } from '../sql/rows.ts';
import { compile, query, type Statement } from '../sql/statement.ts';
import { anchors } from '../sql/tables.ts';
import { sentProperty } from './fault_location.ts';

/** Names that everyone has: the unit that stands where none is given. */
const given = new Set(['unit_id_type:userID']);

/** Owners of keys need not be known: a key is what makes somebody a user. */
const unchecked = new Set(['user']);

/** The names that a change brings into an entity, which may have had another id before, when another had this one. */
function freshNames({ before, twin, after }: Pick<NetChange, 'before' | 'twin' | 'after'>) {
  if (!after) return [];
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
 * Checks the names that changes bring into entities: what cannot be registered cannot be used. A name that the entity
 * had before stays.
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

// Of two tables of one name, Drizzle keeps the columns of the first alone, unless they are named.
const company = sqliteTable('company', { strict: integer('strict', { mode: 'boolean' }) });
const environments = sqliteTable('environments', { id: text('id') });

/**
 * What holds of names that nobody registered, beside a company. Where no list of environments was ever set, any will do.
 */
const isUnknown = and(
  eq(company.strict, true),
  notExists(known),
  or(ne(named.kind, 'environment'), exists(query.select().from(environments))),
);

/** Fails for the first unknown name. Without a strict company it reads no row: for that, the company comes first. */
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

/** Where the company is strict, refuses a batch that brings names which nobody registered. */
export const nameStatements = (net: NetChange[]): Statement[] =>
  jsonArrays(net.flatMap(freshNames)).map((rows) => refuseUnknown({ rows }));

/** The failure that a name brings about, as SQLite quotes it. */
const failureBy = (id: string) => `console: unregistered ${id.replaceAll("'", "''")}'`;

const bringingOf = ({ kind, id }: Pick<NetChange, 'kind' | 'id'>, named: Named): string =>
  JSON.stringify([kind.kind, id, named.kind, named.id]);

/** Where in the request a name comes into an entity. */
interface Place {
  property: string;
  origin: string;
}

/**
 * Finds where each name comes into an entity: in the last change of many that brings it; where it was brought before the
 * entity had its id, in the last that brings it into any.
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
 * Says which names of a transaction are not registered: 400 that names each property. Where all were before it, it made
 * the company strict, or took a name away, itself: then the one that the batch failed for.
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

/** What others may name once a change is made. */
const registeredBy = (kind: NetChange['kind'], after: NetChange['after']): string[] =>
  after ? [{ kind: kind.kind, id: after.id }, ...kind.parts(after)].map(anchorKey) : [];
