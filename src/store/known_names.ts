import { and, eq, ne, notExists, sql } from 'drizzle-orm';
import { Problem } from '../problem.ts';
import { inWords } from '../shared/english.ts';
import { anchorKey } from '../shared/naming.ts';
import { type Named, namesIn } from './names.ts';
import { type NetChange, netChanges } from './net_changes.ts';
import { jsonArrays } from './rows.ts';
import { constant, eachOf, failing, joined, property, together } from './sqlite.ts';
import { compile, query, type Statement } from './statement.ts';
import { anchors } from './tables.ts';
import type { Transaction } from './terms.ts';

/** Names that everyone has: the unit that stands where none is given. */
const given = new Set(['unit_id_type:userID']);

/** Owners of keys need not be known: a key is what makes somebody a user. */
const unchecked = new Set(['user']);

/** The names that a change brings into an entity, which may have had another id before. */
function freshNames({ before, twin, after }: NetChange): Named[] {
  if (!after) return [];
  const earlier = before ?? twin;
  const old = new Set(earlier && namesIn(earlier).map(anchorKey));
  return namesIn(after).filter(
    (named) =>
      !old.has(anchorKey(named)) && !given.has(anchorKey(named)) && !unchecked.has(named.kind),
  );
}

const rows = eachOf(sql.placeholder('rows'));

const named = { kind: property<string>('kind'), id: property<string>('id') };

const known = query
  .select({ id: anchors.id })
  .from(anchors)
  .where(and(eq(anchors.kind, named.kind), eq(anchors.id, named.id)));

/**
 * Names among the given ones that nobody registered. Where no list of environments was ever set, any will do. Without a
 * strict company it reads no row: for that, the company comes first, which Drizzle cannot join with what is no table.
 */
const unknown = sql`company cross join ${rows} where company.strict = 1 and ${notExists(known)}
  and (${ne(named.kind, 'environment')} or exists (select 1 from environments))`;

/** Fails for the first unknown name. */
const refuseUnknown = compile(
  query
    .select({
      failure: failing(joined(constant('unregistered '), together(named.id))).as('failure'),
    })
    .from(unknown)
    .limit(1),
);

const unknownNames = compile(
  query
    .select({
      kind: named.kind.as('kind'),
      id: named.id.as('id'),
      property: property<string>('property').as('property'),
    })
    .from(unknown),
);

/** Where the company is strict, refuses a batch that brings names which nobody registered. */
export const nameStatements = (net: NetChange[]): Statement[] =>
  jsonArrays(net.flatMap(freshNames)).map((rows) => refuseUnknown({ rows }));

/** The failure that a name brings about, as SQLite quotes it. */
const failureBy = (id: string) => `console: unregistered ${id.replaceAll("'", "''")}'`;

/**
 * Says which names of a transaction are not registered: 400 that names each property. Where all were before it, it made
 * the company strict, or took a name away, itself: then the one that the batch failed for.
 */
export async function explainUnknown(
  { changes, read }: Transaction,
  error: unknown,
): Promise<Problem> {
  const fresh = netChanges(changes).flatMap((change) =>
    freshNames(change).map((named) => ({
      ...named,
      property: `${change.origin}${named.property}`,
    })),
  );
  const found = (await read(...jsonArrays(fresh).map((rows) => unknownNames({ rows })))).flat();
  const registered = new Set(changes.flatMap(({ kind, after }) => registeredBy(kind, after)));
  const unknown = found.filter((named) => !registered.has(anchorKey(named)));
  const refused = fresh.filter(({ id }) => String(error).includes(failureBy(id)));
  const errors = (unknown.length > 0 ? unknown : refused).map(({ kind, id, property }) => ({
    property,
    errorMessage: `names the ${inWords(kind)} ${id}, which is not registered, and the company is strict`,
  }));
  const [, index] = errors[0]?.property.match(/^changes\.(\d+)\./) ?? [];
  return Problem.invalid(errors).from(index === undefined ? '' : `changes.${index}.`);
}

/** What others may name once a change is made. */
const registeredBy = (kind: NetChange['kind'], after: NetChange['after']): string[] =>
  after ? [{ kind: kind.kind, id: after.id }, ...kind.parts(after)].map(anchorKey) : [];
