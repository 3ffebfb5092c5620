import { sql } from 'drizzle-orm';
import { Problem } from '../problem.ts';
import type { Anchor, Reference } from './naming.ts';
import { namingSteps, referencesOf } from './places.ts';
import { jsonArrays } from './rows.ts';
import { compile, query, type Statement } from './statement.ts';
import { guard, refs } from './tables.ts';
import { type Change, type NetChange, netChanges } from './transaction.ts';

/**
 * The properties through which the evaluation of one entity asks for that of another (contract of evaluation, section
 * 5). An experiment asks its layer for the holdouts that this is in.
 */
const asking = new Set([
  'rules',
  'targetingGateID',
  'inlineTargetingRulesJSON',
  'overrides',
  'layerID',
]);

/** The properties by which a holdout says which others ask for it. */
const asked = new Set(['gateIDs', 'experimentIDs', 'layerIDs']);

/** The property by which a layer says what its experiments ask for. */
const overriding = 'conditionalOverrides';

const fieldOf = ({ property }: Reference) => property.split('.')[0] ?? '';
const nameOf = ({ kind, id }: Anchor) => `${kind}:${id}`;

/** A search for a circle through `goal`: from `starts` to all that ask for them, and on. */
interface Search {
  change: NetChange;
  goal: Anchor;
  /** Where it starts; `via` names what of the change leads there, where that is not the goal itself. */
  starts: (Anchor & { via: string })[];
  /** What the change names, and did not name before. */
  fresh: Reference[];
}

function searchesOf(change: NetChange): Search[] {
  const { kind, id, before, after } = change;
  const own = { kind: kind.kind, id };
  const [old, now] = [before, after].map((entity) => (entity ? kind.references(entity) : []));
  const known = new Set(old?.map((to) => `${fieldOf(to)} ${nameOf(to)}`));
  const all = now ?? [];
  const fresh = all.filter((to) => !known.has(`${fieldOf(to)} ${nameOf(to)}`));
  const through = (anchor: Anchor): Search => ({
    change,
    goal: anchor,
    starts: [{ ...anchor, via: '' }],
    fresh,
  });
  const members = fresh
    .filter((to) => asked.has(fieldOf(to)))
    .map((to) => ({ kind: to.kind, id: to.id, via: nameOf(to) }));
  return [
    ...(fresh.some((to) => asking.has(fieldOf(to))) ? [through(own)] : []),
    ...(members.length > 0 ? [{ change, goal: own, starts: members, fresh }] : []),
    ...overridden(old ?? [], all).map((of) => through({ kind: 'experiment', id: of })),
  ];
}

/** The experiments that a layer overrides otherwise than before. */
function overridden(before: Reference[], after: Reference[]): string[] {
  const [old, now] = [before, after].map((all) => all.filter((to) => fieldOf(to) === overriding));
  if (JSON.stringify(old) === JSON.stringify(now)) return [];
  const named = now?.filter(({ kind }) => kind === 'experiment_on_the_layer');
  return [...new Set(named?.map(({ id }) => id.slice(id.indexOf(':') + 1)))];
}

/** All searches of a batch; those of later changes first, so that the change that closes a circle is the one named. */
const searches = (net: NetChange[]): Search[] => net.toReversed().flatMap(searchesOf);

const here = sql.raw("walk.kind || ':' || walk.id");
const inAsking = sql.raw(`field in (${[...asking].map((field) => `'${field}'`).join(', ')})`);

// A recursive walk, which Drizzle's builder has no words for. Who is in a holdout, and whom a layer overrides, is read
// off their own rows, since references are found by what is referred to alone.
const refuseCircle = compile(
  query.insert(guard).select(
    sql`with recursive walk (kind, id, via, next) as (
          select value->>'kind', value->>'id', value->>'via', '' from json_each(${sql.placeholder('starts')})
          union
          select fromKind, fromID, via, ${here} from walk join ${refs}
            on toKind = walk.kind and toID = walk.id where ${inAsking}
          union
          select list.key, member.value, via, ${here} from walk
            join holdouts on walk.kind = 'holdout' and holdouts.id = walk.id
            join json_each(json_object('gate', json(gateIDs), 'experiment', json(experimentIDs),
              'layer', json(layerIDs))) list
            join json_each(list.value) member
          union
          select 'experiment', experiments.id, via, ${here} from walk
            join ${refs} on toKind = walk.kind and toID = walk.id
              and fromKind = 'layer' and field = ${sql.raw(`'${overriding}'`)}
            join layers on layers.id = fromID
            join json_each(layers.overrides, ${sql.raw(`'$.${overriding}'`)}) entry
              on entry.value->>'type' = walk.kind and entry.value->>'name' = walk.id
            join experiments on experiments.id = entry.value->>'experimentName'
              and experiments.layerID = layers.id)
        select 'circle ' || ${sql.placeholder('search')} || ' [' || via || '] [' || next || ']' from walk
        where kind = ${sql.placeholder('kind')} and id = ${sql.placeholder('id')} and next <> '' limit 1`,
  ),
);

/** The query for an entity and all that ask for its evaluation, be it through others. */
export const askersOf = compile(
  query.select({ kind: sql<string>`kind`.as('kind'), id: sql<string>`id`.as('id') }).from(
    sql`(with recursive asking (kind, id) as (
            select ${sql.placeholder('kind')} as kind, ${sql.placeholder('id')} as id union
            select fromKind, fromID from ${refs} join asking
            on toKind = asking.kind and toID = asking.id where ${inAsking})
          select kind, id from asking)`,
  ),
);

/**
 * Refuses a batch after which the evaluation of an entity would ask for itself: it goes from the entity to all that
 * ask for it, and on to those that ask for these, and looks whether the entity is among them.
 */
export const circleStatements = (net: NetChange[]): Statement[] =>
  searches(net).flatMap(({ goal, starts }, search) =>
    jsonArrays(starts).map((some) =>
      refuseCircle({ ...goal, search: String(search), starts: some }),
    ),
  );

/** Says which property closes the circle that the database found: 400 that names it. */
export function explainCircle(changes: Change[], error: unknown): Problem {
  const [, search, via, next] = String(error).match(/circle (\d+) \[(\S*)\] \[(\S*)\]/) ?? [];
  const found = searches(netChanges(changes))[Number(search)];
  const named = found?.change.after ? found.change.kind.references(found.change.after) : [];
  const closing = [...(found?.fresh ?? []), ...named].filter((to) =>
    [...asking, ...asked, overriding].includes(fieldOf(to)),
  );
  const [first] = closing;
  const to = closing.find((each) => nameOf(each) === (via || next)) ?? first;
  const place = found && to && placeOf(changes, found.change, to);
  const problem = Problem.property(
    place?.property ?? 'rules',
    'makes a circle: to evaluate it, it would have to be evaluated itself',
  );
  return problem.from(place?.origin ?? '');
}

/** Where in the request a reference comes from. */
function placeOf(changes: Change[], { kind, id, origin }: NetChange, to: Reference) {
  const row = {
    toKind: to.kind,
    toID: to.id,
    fromKind: kind.kind,
    fromID: id,
    field: fieldOf(to),
  };
  const step = changes[namingSteps(changes)(row)];
  const [reference = to] = step ? referencesOf(kind, step.after)(row) : [];
  const place = step?.origin ?? origin;
  return { origin: place, property: `${place}${reference.property}` };
}
