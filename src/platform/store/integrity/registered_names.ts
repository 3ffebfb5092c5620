import { sql } from 'drizzle-orm';
import { inWords } from '../../../base/english.ts';
import { faultOfName } from '../../../base/fields.ts';
import { memoize } from '../../../base/memoize.ts';
import { anchorKey } from '../../../base/naming.ts';
import { Problem } from '../../../base/problem.ts';
import { isOnlyDescription, type NetChange } from '../changes/net_changes.ts';
import { type MentionedName, mentionsIn } from '../core/mentions.ts';
import type { Registration } from '../core/model.ts';
import type { Transaction } from '../core/transaction.ts';
import { constant, failing } from '../sql/expressions.ts';
import { jsonArrays } from '../sql/rows.ts';
import { type Statement, statement } from '../sql/statement.ts';
import { sentProperty } from './fault_location.ts';

type AddingChange = Pick<NetChange, 'kind' | 'before' | 'renamedFrom' | 'after'>;

function addedNames(change: AddingChange): MentionedName[] {
  const { kind, before, renamedFrom, after } = change;
  if (!after || isOnlyDescription(change)) return [];
  const { fields } = kind.model.mentions;
  const earlier = [before, renamedFrom].flatMap((state) => (state ? mentionsIn(kind, state) : []));
  const old = new Set(earlier.map(anchorKey));
  return mentionsIn(kind, after).filter(
    (named) =>
      !old.has(anchorKey(named)) &&
      fields[named.kind]?.builtIn !== named.id &&
      !fields[named.kind]?.isUnchecked,
  );
}

const maxNamed = 100;

/** Checks that added names can be registered. Earlier names stay valid. @throws Problem 400 naming each property */
export function requireRegistrableNames({ changes }: Transaction): void {
  const faults = changes.flatMap((change) =>
    addedNames(change).flatMap(({ id, property }) => {
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

/** Any environment is valid if no list was ever set. The company is read first: unless strict, it ends the search. */
const unknownFrom = ({ isRequired, optional: { kind, table } }: Registration) => sql`
  from ${isRequired.table} cross join json_each(${sql.placeholder('rows')}) as named
  where ${isRequired.table}.${isRequired.column} = 1
    and not exists (
      select 1 from anchors
      where anchors.kind = named.value->>'kind' and anchors.id = named.value->>'id')
    and (named.value->>'kind' <> ${constant(kind)} or exists (select 1 from ${table}))`;

const refuseUnknown = memoize((registration: Registration) =>
  statement(sql`
    select ${failing(sql`'unregistered ' || (named.value->>'id')`)} ${unknownFrom(registration)}
    limit 1`),
);

const unknownNames = memoize((registration: Registration) =>
  statement<MentionPlace & { kind: string; id: string }>(sql`
    select named.value->>'kind' as kind, named.value->>'id' as id,
      named.value->>'property' as property, named.value->>'origin' as origin
    ${unknownFrom(registration)}`),
);

/** Fails the batch if a change adds unregistered names and names must be registered. */
export function nameStatements(net: NetChange[]): Statement[] {
  const [first] = net;
  if (!first) return [];
  const refuse = refuseUnknown(first.kind.model.registration);
  return jsonArrays(net.flatMap(addedNames)).map((rows) => refuse({ rows }));
}

const failureBy = (id: string) => `console: unregistered ${id.replaceAll("'", "''")}'`;

const bringingOf = ({ kind, id }: Pick<NetChange, 'kind' | 'id'>, named: MentionedName): string =>
  JSON.stringify([kind.kind, id, named.kind, named.id]);

interface MentionPlace {
  property: string;
  origin: string;
}

/** Finds the last change that adds a name to the ID; if none does, the last that adds it to any entity. */
function placesIn(
  changes: NetChange[],
): (change: NetChange, named: MentionedName) => MentionPlace | undefined {
  const places = new Map<string, MentionPlace>();
  for (const change of changes)
    for (const named of addedNames(change)) {
      const place = { property: sentProperty(change, named.property), origin: change.origin };
      places.set(bringingOf(change, named), place).set(anchorKey(named), place);
    }
  return (change, named) => places.get(bringingOf(change, named)) ?? places.get(anchorKey(named));
}

/**
 * Explains why names were refused. Returns a 400 naming the one that failed if all are registered: one was registered
 * since, or the transaction itself makes it unregistered.
 * @throws Problem 400 naming each property if names are still unregistered
 */
export async function explainUnregistered(
  { changes, read }: Transaction,
  net: NetChange[],
  error: unknown,
): Promise<Problem> {
  const registration = net[0]?.kind.model.registration;
  if (!registration) throw error;
  const placeOf = placesIn(changes);
  const fresh = net.flatMap((change) =>
    addedNames(change).map((named) => ({ ...named, ...placeOf(change, named) })),
  );
  const found = (
    await read(...jsonArrays(fresh).map((rows) => unknownNames(registration)({ rows })))
  ).flat();
  const registered = new Set(changes.flatMap(({ kind, after }) => registeredBy(kind, after)));
  const unknown = found.filter((named) => !registered.has(anchorKey(named)));
  const refused = fresh.filter(({ id }) => String(error).includes(failureBy(id)));
  const problemOf = (faults: (MentionedName & { origin?: string | undefined })[]) => {
    const errors = faults.map(({ kind, id, property }) => ({
      property,
      errorMessage: `names the ${inWords(kind)} ${id}, which is not registered, and ${registration.reason}`,
    }));
    return Problem.invalid(errors).from(faults[0]?.origin ?? '');
  };
  if (unknown.length > 0) throw problemOf(unknown);
  return problemOf(refused);
}

const registeredBy = (kind: NetChange['kind'], after: NetChange['after']): string[] =>
  after ? [{ kind: kind.kind, id: after.id }, ...kind.refs.parts(after)].map(anchorKey) : [];
