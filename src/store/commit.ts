import { type SQL, sql } from 'drizzle-orm';
import { Problem } from '../problem.ts';
import { circleStatements } from './circles.ts';
import type { Entity } from './columns.ts';
import { classify } from './database.ts';
import { explainRefusal, linkStatements } from './references.ts';
import { revisions } from './tables.ts';
import { type NetChange, netChanges, type Transaction } from './transaction.ts';

/** Bytes of JSON that go into one bound parameter; D1 takes up to 2 MB. */
const maxParameter = 1_500_000;

/** How often a batch whose answer was lost is sent again. */
const maxSends = 4;

const byteLength = (text: string) => new TextEncoder().encode(text).length;

/** Splits items into JSON arrays that each fit one parameter; 413 for an item that fits none. */
export function jsonArrays(items: object[]): string[] {
  const arrays: string[][] = [];
  let room = 0;
  for (const json of items.map((item) => JSON.stringify(item))) {
    const size = byteLength(json) + 1;
    if (size > maxParameter)
      throw new Problem('too_large', 'The entity would be larger than 1.5 MB; nothing was stored.');
    if (size > room) {
      arrays.push([]);
      room = maxParameter;
    }
    arrays.at(-1)?.push(json);
    room -= size;
  }
  return arrays.map((array) => `[${array.join(',')}]`);
}

function revisionStatements({ changes, imports, author }: Transaction): SQL[] {
  const { actor, time, requestID } = author;
  const rows = [
    ...changes.map(({ collection, id, version, action, before, after }) => {
      return { kind: collection.kind, id, version, action, snapshot: after ?? before };
    }),
    ...imports.map(({ kind, summary }, index) => {
      return { kind, id: requestID, version: index + 1, action: 'import', snapshot: summary };
    }),
  ];
  return jsonArrays(rows).map(
    (json) =>
      sql`insert into ${revisions}
          (kind, id, version, action, actorID, actorName, time, requestID, snapshot)
          select value->>'kind', value->>'id', value->>'version', value->>'action',
          ${actor.id}, ${actor.name}, ${time}, ${requestID}, value->'snapshot' from json_each(${json})`,
  );
}

function entityStatements(net: NetChange[]): SQL[] {
  const collections = new Set(net.map(({ collection }) => collection));
  return [...collections].flatMap((collection) => {
    const { table } = collection;
    const own = net.filter((change) => change.collection === collection);
    const stored = own.map(({ after }) => after).filter((after): after is Entity => !!after);
    const removed = own.filter(({ after }) => !after).map(({ id }) => id);
    return [
      ...jsonArrays(stored).map(
        (json) =>
          sql`insert into ${table} (id, data) select value->>'id', value from json_each(${json})
              where true on conflict (id) do update set data = excluded.data`,
      ),
      ...(removed.length > 0
        ? [
            sql`delete from ${table}
                where id in (select value from json_each(${JSON.stringify(removed)}))`,
          ]
        : []),
    ];
  });
}

/** Refuses the batch where a kind that it depends on has changed since it was read. */
function guardStatements({ seen }: Transaction): SQL[] {
  return [...seen].map(
    ([kind, seq]) =>
      sql`insert into guard (reason) select 'stale' where exists
          (select 1 from ${revisions} where ${revisions.seq} > ${seq} and ${revisions.kind} = ${kind})`,
  );
}

/** The last statement of a dry run: it lets every constraint speak, and then takes everything back. */
const rollBack = sql`insert into guard (reason) values ('dry run')`;

/**
 * Stores the staged changes as one batch: entities, their history, what refers to what, and `extra` statements.
 * @returns whether it is stored; `false` when another change came first, and the request is to be computed again
 * @throws Problem 400 or 409 where references do not allow it, 413, 503 where it is unknown if it was stored
 */
export async function commit(tx: Transaction, extra: SQL[] = []): Promise<boolean> {
  const net = netChanges(tx.changes);
  const statements = [
    ...guardStatements(tx),
    ...linkStatements(net, [...revisionStatements(tx), ...entityStatements(net)]),
    ...circleStatements(net),
    ...tx.imports.flatMap(({ statements: rows }) => rows),
    ...extra,
    ...(tx.dryRun ? [rollBack] : []),
  ];
  for (let sends = 1; ; sends++) {
    try {
      await tx.db.batch(statements);
      return true;
    } catch (error) {
      const verdict = await judge(tx, error, sends);
      if (verdict !== 'send again') return verdict === 'stored';
    }
  }
}

type Verdict = 'stored' | 'compute again' | 'send again';

/** What follows from a batch that failed, or whose answer was lost; `sends` counts how often it was sent. */
async function judge(tx: Transaction, error: unknown, sends: number): Promise<Verdict> {
  const failure = classify(error);
  if (failure === 'dry run') return 'stored';
  if (sends > 1 && (await landed(tx))) return 'stored';
  if (failure === 'lost' && sends < maxSends) return 'send again';
  if (failure === 'lost' || (failure === 'other' && sends > 1)) throw unknownOutcome();
  if (failure === 'other') throw error;
  if (failure === 'circle') throw circle();
  const refusal = failure === 'conflict' ? undefined : await explainRefusal(tx);
  if (refusal) throw refusal;
  return 'compute again';
}

const circle = () =>
  Problem.property('rules', 'makes a circle: to evaluate it, it would have to be evaluated itself');

const unknownOutcome = () =>
  new Problem(
    'unavailable',
    'The connection to the database was lost; read the entity to see whether the change was stored.',
    {
      headers: { 'Retry-After': '1' },
    },
  );

/** Whether an earlier sending of this transaction was stored, though its answer was lost. */
async function landed({ db, author }: Transaction): Promise<boolean> {
  const query = sql<{ found: number }>`select 1 as found from ${revisions}
    where ${revisions.requestID} = ${author.requestID} limit 1`;
  try {
    const [rows] = await db.batch<[{ found: number }]>([query]);
    return rows.length > 0;
  } catch {
    throw unknownOutcome();
  }
}
