import { Problem } from '../../base/problem.ts';
import { retrying } from '../../base/retrying.ts';
import { refuseStale } from './changes/conflicts.ts';
import { entityStatements } from './changes/entity_statements.ts';
import type { Transaction } from './core/transaction.ts';
import {
  anchorsOf,
  type DerivedEffect,
  derivedStatements,
  effectOf,
  labelsOf,
  refsOf,
} from './derived/derived_rows.ts';
import { searchStatements } from './derived/search_rows.ts';
import { totalStatements } from './derived/totals.ts';
import { oneVersion } from './history/queries.ts';
import { revisionStatements } from './history/record.ts';
import { cycleStatements, explainCycle } from './integrity/cycles.ts';
import {
  explainRefusal,
  requireNoUseBeforeRemoval,
  unexplained,
} from './integrity/reference_errors.ts';
import {
  explainUnregistered,
  nameStatements,
  requireRegistrableNames,
} from './integrity/registered_names.ts';
import { explainTaken, sharedIDStatements } from './integrity/shared_ids.ts';
import { classify } from './sql/database.ts';
import { compileQuery, query, type Statement } from './sql/statement.ts';
import { guard, revisions } from './sql/tables.ts';

/** How often a batch is sent again if its response was lost. */
const maxSends = 4;

/** The last statement of a dry run. Every constraint is checked before it, then it rolls the batch back. */
const rollBack = compileQuery(query.insert(guard).values({ reason: 'dry run' }));

function isOneCreation({ changes: [change, ...others], loggedRows }: Transaction): boolean {
  const isFirst = change?.version === 1 && !change.isRecorded;
  return isFirst && others.length === 0 && loggedRows.length === 0;
}

/** Removals come before additions, so that the triggers see the final state. */
function statementsOf(tx: Transaction, effect: DerivedEffect): Statement[] {
  const { net } = effect;
  const [anchors, refs, labels] = [
    derivedStatements(anchorsOf, effect.anchors),
    derivedStatements(refsOf, effect.refs),
    derivedStatements(labelsOf, effect.labels),
  ];
  return [
    ...[...tx.seen].map(([kind, count]) => refuseStale({ kind, count })),
    ...refs.removed,
    ...labels.removed,
    ...anchors.removed,
    ...tx.histories,
    ...revisionStatements(tx),
    ...searchStatements(net, isOneCreation(tx)),
    ...entityStatements(net),
    ...anchors.added,
    ...refs.added,
    ...labels.added,
    ...totalStatements(effect.counted),
    ...cycleStatements(net),
    ...nameStatements(net),
    ...sharedIDStatements(net),
    ...tx.loggedRows.flatMap(({ statements }) => statements),
    ...tx.lastStatements,
  ];
}

/**
 * Stores the staged changes and `extra` statements as one batch. Returns `overtaken` if the request must be computed
 * again: after another change, or a refusal that no longer applies.
 * @throws Problem 400 or 409 if references forbid the change, 413, 503 if it is unknown whether it was stored
 */
export async function commit(tx: Transaction, extra: Statement[] = []): Promise<CommitOutcome> {
  requireRegistrableNames(tx);
  const effect = effectOf(tx.changes);
  requireNoUseBeforeRemoval(tx, effect);
  const statements = [...statementsOf(tx, effect), ...extra, ...(tx.dryRun ? [rollBack()] : [])];
  const send = async (sends: number): Promise<CommitOutcome | undefined> => {
    try {
      await tx.db.batch(...statements);
      return 'stored';
    } catch (error) {
      return judge(tx, effect, error, sends);
    }
  };
  const outcome = await retrying((sends) => sends <= maxSends, send);
  if (outcome === 'stored' && !tx.dryRun) for (const act of tx.afterCommit) act();
  return outcome;
}

type CommitOutcome = 'stored' | 'overtaken' | Problem;

/** Decides what to do after a batch failed or its response was lost. Undefined means to send it again. */
async function judge(
  tx: Transaction,
  effect: DerivedEffect,
  error: unknown,
  sends: number,
): Promise<CommitOutcome | undefined> {
  const failure = classify(error);
  if (failure === 'dry run') return 'stored';
  if (sends > 1 && (await landed(tx))) return 'stored';
  if (failure === 'lost' && sends < maxSends) return undefined;
  if (failure === 'lost' || (failure === 'other' && sends > 1)) throw unknownOutcome();
  if (failure === 'other') throw error;
  if (failure === 'taken') throw explainTaken(tx.changes, error);
  if (failure === 'circle') throw explainCycle(tx.changes, effect.net, error);
  if (failure === 'conflict') return 'overtaken';
  if (failure === 'unregistered') return explainUnregistered(tx, effect.net, error);
  const refusal = await explainRefusal(tx, effect);
  if (refusal) throw refusal;
  return unexplained(failure);
}

const unknownOutcome = () =>
  Problem.unavailable(
    'The connection to the database was lost; read the entity to see whether the change was stored.',
  );

const requestOf = compileQuery(
  query.select({ requestID: revisions.requestID }).from(revisions).where(oneVersion),
);

/** Whether an earlier attempt was stored although its response was lost: its first row exists. */
async function landed({ db, author, changes, loggedRows }: Transaction): Promise<boolean> {
  const { requestID } = author;
  const [change] = changes
    .filter(({ isRecorded }) => !isRecorded)
    .map(({ kind: { kind }, id, version }) => ({ kind, id, version }));
  const [rows] = loggedRows.map(({ kind }) => ({ kind, id: requestID, version: 1 }));
  const first = change ?? rows;
  if (!first) return false;
  try {
    const [found] = await db.batch(requestOf(first));
    return found.some((row) => row.requestID === requestID);
  } catch {
    throw unknownOutcome();
  }
}
