import { inArray, sql } from 'drizzle-orm';
import { inWords } from '../../../base/english.ts';
import { memoize } from '../../../base/memoize.ts';
import { anchorKey, type Reference } from '../../../base/naming.ts';
import { Problem } from '../../../base/problem.ts';
import type { NetChange } from '../changes/net_changes.ts';
import type { Dependencies } from '../core/model.ts';
import type { StagedChange } from '../core/transaction.ts';
import { refOf } from '../derived/derived_rows.ts';
import { jsonArrays } from '../sql/rows.ts';
import { compileQuery, query, type Statement } from '../sql/statement.ts';
import { guard, refs } from '../sql/tables.ts';
import { canClose, type Search, searches } from './cycle_search.ts';
import { namingSteps, referencesOfRow, sentProperty } from './fault_location.ts';

const here = sql.raw("walk.kind || ':' || walk.id");

const refuseCycle = memoize(({ properties, rows }: Dependencies) => {
  const branches = rows.map(
    ({ kind, id, join }) =>
      sql`union select search, ${kind}, ${id}, listed, ${here} from walk ${join}`,
  );
  // Drizzle's builder has no recursion. A trigger on `guard` refuses reasons that begin with `circle`.
  return compileQuery(
    query.insert(guard).select(
      sql`with recursive walk (search, kind, id, listed, dependency) as (
          select value->>'search', value->>'kind', value->>'id', value->>'listed', iif(value->>'isGoalAtOnce', 'start', '') from json_each(${sql.placeholder('starts')})
          union
          select search, fromKind, fromID, listed, ${here} from walk join ${refs}
            on toKind = walk.kind and toID = walk.id where ${inArray(refs.field, [...properties])}
          ${sql.join(branches, sql` `)})
        select 'circle ' || json_array(search, coalesce(listed, ''), dependency, ${here}) from walk
        where dependency <> '' and (search, kind, id) in
          (select value->>'search', value->>'kind', value->>'id' from json_each(${sql.placeholder('goals')}))
        order by search limit 1`,
    ),
  );
});

/** A batch of any size has at most this many searching statements. */
const maxSearchStatements = 100;

/** Fails the batch if the evaluation of an entity would depend on itself. Many searches share statements. */
export function cycleStatements(net: NetChange[]): Statement[] {
  const found = searches(net);
  const [first] = found;
  if (!first) return [];
  const refuse = refuseCycle(first.change.kind.model.dependencies);
  const all = found.map(({ goals, starts }, search) => ({
    starts: starts.map((start) => ({ ...start, search })),
    goals: goals.map((goal) => ({ ...goal, search })),
  }));
  const inOne = Math.ceil(all.length / maxSearchStatements);
  const shares = Array.from({ length: Math.min(all.length, maxSearchStatements) }, (_, index) =>
    all.slice(index * inOne, (index + 1) * inOne),
  );
  return shares.flatMap((share) =>
    jsonArrays(share.flatMap(({ starts }) => starts)).flatMap((starts) =>
      jsonArrays(share.flatMap(({ goals }) => goals)).map((goals) => refuse({ starts, goals })),
    ),
  );
}

/** Explains the cycle that the database found. @throws Problem 400 naming the property that closes it */
export function explainCycle(changes: StagedChange[], net: NetChange[], error: unknown): Problem {
  const [, found = '[]'] = String(error).match(/circle (\[.*\])/) ?? [];
  const [search, listed, dependency, goal] = JSON.parse(found);
  const closed = searches(net)[search];
  if (closed?.phases) return phaseInCycle(closed, goal);
  const closing = closed ? closingReferences(closed) : [];
  const to = closing.find((each) => anchorKey(each) === (listed || dependency)) ?? closing[0];
  const made = closed && to && makingOf(changes, closed.change, to);
  if (made?.step?.action === 'release') return releaseInCycle(changes, made.origin);
  const problem = Problem.property(
    made?.property ?? 'rules',
    'makes a circle: to evaluate it, it would have to be evaluated itself',
  );
  return problem.from(made?.origin ?? '');
}

function closingReferences({ change: { kind, after }, added }: Search): Reference[] {
  const all = after ? kind.refs.outgoing(after) : [];
  return [...added, ...all].filter((to) => canClose(kind.model.dependencies, to));
}

function releaseInCycle(changes: StagedChange[], origin: string): Problem {
  const isStarted = changes.some((each) => each.origin === origin && each.action === 'create');
  const property = `${origin}${isStarted ? 'releasePipelineID' : 'phaseID'}`;
  const errorMessage = 'leads to rules that make a circle';
  const message = 'The rules that the release would put in force make a circle.';
  return new Problem('invalid', message, { errors: [{ property, errorMessage }], origin });
}

function phaseInCycle({ change: { origin }, phases }: Search, goal: string): Problem {
  const { kind = '', id, property } = phases?.find((to) => anchorKey(to) === goal) ?? {};
  const why = `whose ${property} names the ${inWords(kind)} ${id}`;
  return Problem.property(
    `${origin}releasePipelineID`,
    `names a pipeline ${why}, which makes a circle`,
  ).from(origin);
}

function makingOf(changes: StagedChange[], change: NetChange, to: Reference) {
  const { kind, id } = change;
  const row = refOf({ kind: kind.kind, id }, to);
  const step = changes[namingSteps(changes)(row)];
  const [reference = to] = step ? referencesOfRow(kind, step.after)(row) : [];
  const at = step ?? change;
  return { step, origin: at.origin, property: sentProperty(at, reference.property) };
}
