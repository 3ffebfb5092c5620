import type { Context } from 'hono';
import { distinct } from '../../base/distinct.ts';
import { inWords } from '../../base/english.ts';
import { anchorKey } from '../../base/naming.ts';
import { Problem, problemTypes } from '../../base/problem.ts';
import { retrying } from '../../base/retrying.ts';
import { requireOneOfEach } from '../../flags/releases/start.ts';
import type { Service } from '../../platform/env.ts';
import { backoff, beginTransaction } from '../../platform/http/transact.ts';
import type { Portables } from '../../platform/resource/portable.ts';
import { commit } from '../../platform/store/commit.ts';
import { changedValues, type Entity } from '../../platform/store/core/entity.ts';
import type { Kind } from '../../platform/store/core/kind.ts';
import type { Newest } from '../../platform/store/core/reads.ts';
import type { Transaction } from '../../platform/store/core/transaction.ts';
import { historyStatements } from '../../platform/store/history/record.ts';
import { BatchTooLarge } from '../../platform/store/sql/database.ts';
import { type Arrival, anchorOf, isGiven } from './arrival.ts';
import { withoutSecrets } from './exporting.ts';
import { completeArrivals } from './placing.ts';
import type { PortableRevision, Refusal } from './schema.ts';

interface ImportBatch {
  portables: Portables;
  arrivals: Arrival[];
  revisions: PortableRevision[];
}

export interface ImportOutcome {
  stored: number;
  unchanged: number;
  refused: Refusal[];
}

const maxAttempts = 8;

interface Here {
  entities: Map<string, Entity>;
  newest: Map<string, Newest>;
}

async function look(
  tx: Transaction,
  { portables, arrivals, revisions }: ImportBatch,
): Promise<Here> {
  const here: Here = { entities: new Map(), newest: new Map() };
  const lookFor = async (kind: Kind<Entity>) => {
    const named = [
      ...arrivals.flatMap(({ portable, entity }) =>
        portable.kind === kind && entity ? [entity.id] : [],
      ),
      ...revisions.flatMap((row) => (row.kind === kind.kind ? [row.id] : [])),
    ];
    const ids = distinct(named);
    if (ids.length === 0) return;
    const [found, newest] = await Promise.all([tx.findMany(kind, ids), tx.newestOfEach(kind, ids)]);
    for (const entity of found)
      here.entities.set(anchorKey({ kind: kind.kind, id: entity.id }), entity);
    for (const [id, last] of newest) here.newest.set(anchorKey({ kind: kind.kind, id }), last);
  };
  await Promise.all([...portables.values()].map(({ kind }) => lookFor(kind)));
  return here;
}

const refusalOfArrival = (arrival: Arrival, message: string): Refusal => ({
  place: arrival.place,
  ...anchorOf(arrival),
  message,
});

function importedHistory({ revisions }: ImportBatch, { newest }: Here) {
  const rows = revisions.filter((row) => !newest.has(anchorKey(row)));
  const ends = new Map<string, PortableRevision>();
  for (const row of rows) {
    const key = anchorKey(row);
    const next = (ends.get(key)?.version ?? 0) + 1;
    if (row.version !== next)
      throw Problem.property(
        'lines',
        `must have each version of the ${inWords(row.kind)} ${row.id} in turn: ${next} comes next, not ${row.version}`,
      );
    ends.set(key, row);
  }
  return { rows, ends };
}

function stage(
  tx: Transaction,
  arrival: Arrival,
  here: Here,
  ends: Map<string, PortableRevision>,
): 'staged' | 'unchanged' | Refusal {
  if (arrival.refusal) return arrival.refusal;
  const { entity, place } = arrival;
  const { kind } = arrival.portable;
  const key = anchorKey(anchorOf(arrival));
  const there = here.entities.get(key);
  if (there) {
    const differs = changedValues(kind, withoutSecrets(kind, there), entity);
    const changed = differs.filter((name) => isGiven(arrival, name));
    if (changed.length === 0) return 'unchanged';
    return refusalOfArrival(arrival, `It is here already, and differs in ${changed.join(', ')}.`);
  }
  const end = ends.get(key);
  if (end && changedValues(kind, end.snapshot, entity).length > 0)
    return refusalOfArrival(arrival, 'Its history does not end in it.');
  tx.origin = `${place}.`;
  const version = end?.version ?? (here.newest.get(key)?.version ?? 0) + 1;
  tx.importEntity(kind, { ...entity, version }, end !== undefined);
  here.entities.set(key, entity); // It can come twice.
  return 'staged';
}

/** @throws Problem 400 for a history without the entity in which it ends */
function refuseLoose(ends: Map<string, PortableRevision>, arrivals: Arrival[]): void {
  const brought = new Set(arrivals.map((arrival) => anchorKey(anchorOf(arrival))));
  for (const [key, { kind, id, version, snapshot }] of ends)
    if (snapshot.version === version && !brought.has(key))
      throw Problem.property(
        'lines',
        `have the history of the ${inWords(kind)} ${id}, and not what it is now`,
      );
}

function refusalsOf({ details, message }: Problem, arrivals: Arrival[]): Refusal[] {
  const { errors = [], origin = '' } = details;
  const at = (property: string) =>
    arrivals.find(({ place }) => property.startsWith(`${place}.`)) ??
    arrivals.find(({ place }) => origin === `${place}.`);
  const named = errors.flatMap(({ property, errorMessage }) => {
    const arrival = at(property);
    if (!arrival) return [];
    const own = property.replace(`${arrival.place}.`, '');
    return [refusalOfArrival(arrival, `${own} ${errorMessage}.`)];
  });
  if (named.length > 0) return named;
  const arrival = at('');
  return [
    arrival ? refusalOfArrival(arrival, message) : { place: 'lines', kind: '', id: '', message },
  ];
}

async function stageAll(tx: Transaction, batch: ImportBatch): Promise<ImportOutcome> {
  const here = await look(tx, batch);
  const { rows, ends } = importedHistory(batch, here);
  refuseLoose(ends, batch.arrivals);
  const arrivals = await completeArrivals(tx, batch.arrivals, { here: here.entities, ends });
  const results = arrivals.map((arrival) => stage(tx, arrival, here, ends));
  const staged = [...tx.changes];
  for (const { kind, after, origin } of staged) {
    tx.origin = origin;
    await batch.portables.get(kind.kind)?.kind.validate(tx, undefined, after);
  }
  await requireOneOfEach(tx);
  if (rows.length > 0) {
    tx.histories.push(...historyStatements(rows));
    tx.loggedRows.push({ kind: 'project', statements: [], summary: { revisions: rows.length } });
  }
  return {
    stored: staged.length,
    unchanged: results.filter((result) => result === 'unchanged').length,
    refused: results.filter((result) => typeof result === 'object'),
  };
}

async function tryBatch(tx: Transaction, batch: ImportBatch): Promise<ImportOutcome | undefined> {
  const outcome = await stageAll(tx, batch);
  if (outcome.refused.length > 0) return { ...outcome, stored: 0 };
  if (tx.changes.length === 0 && tx.loggedRows.length === 0) return outcome;
  const end = await commit(tx);
  if (end instanceof Problem) throw end;
  return end === 'stored' ? outcome : undefined;
}

function refusedBy(
  error: unknown,
  { origin }: Transaction,
  { arrivals }: ImportBatch,
): ImportOutcome {
  if (!(error instanceof Problem) || error instanceof BatchTooLarge) throw error;
  if (problemTypes[error.code].status >= 500) throw error;
  const located = error.details.origin ? error : error.from(origin);
  return { stored: 0, unchanged: 0, refused: refusalsOf(located, arrivals) };
}

/** Stores a batch completely, or nothing if some of it is refused. */
export const storeBatch = (
  c: Context<Service>,
  batch: ImportBatch,
  dryRun: boolean,
): Promise<ImportOutcome> =>
  retrying(
    (attempt) => attempt <= maxAttempts,
    async (attempt) => {
      const tx = beginTransaction(c, dryRun);
      const outcome = await tryBatch(tx, batch).catch((error) => refusedBy(error, tx, batch));
      if (!outcome) await backoff(attempt);
      return outcome;
    },
  );
