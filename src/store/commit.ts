import { Problem } from '../problem.ts';
import { refuseStale } from './changes/conflicts.ts';
import { entityStatements } from './changes/entity_statements.ts';
import { netChanges } from './changes/net_changes.ts';
import type { Transaction } from './core/transaction.ts';
import { anchorsOf, derivedStatements, labelsOf, refsOf } from './derived/derived_rows.ts';
import { searchStatements } from './derived/search_rows.ts';
import { totalStatements } from './derived/totals.ts';
import { oneVersion } from './history/queries.ts';
import { revisionStatements } from './history/record.ts';
import { circleStatements, explainCircle } from './integrity/cycles.ts';
import { explainRefusal, requireNamed, unexplained } from './integrity/reference_errors.ts';
import {
  explainUnknown,
  nameStatements,
  requireRegistrableNames,
} from './integrity/registered_names.ts';
import { explainTaken, namesakeStatements } from './integrity/shared_ids.ts';
import { classify } from './sql/database.ts';
import { compile, query, type Statement } from './sql/statement.ts';
import { guard, revisions } from './sql/tables.ts';

/** How often a batch whose answer was lost is sent again. */
const maxSends = 4;

/** The last statement of a dry run: it lets every constraint speak, and then takes everything back. */
const rollBack = compile(query.insert(guard).values({ reason: 'dry run' }));

/** Whether it records one revision, the first of an entity. */
function isCreation({ changes: [change, ...others], imports }: Transaction): boolean {
  const isFirst = change?.version === 1 && !change.isRecorded;
  return isFirst && others.length === 0 && imports.length === 0;
}

/** What a transaction comes to, in the order that lets the triggers see the final state: what goes, then what comes. */
function statementsOf(tx: Transaction): Statement[] {
  const net = netChanges(tx.changes);
  const [anchors, refs, labels] = [
    derivedStatements(anchorsOf, net),
    derivedStatements(refsOf, net),
    derivedStatements(labelsOf, net),
  ];
  return [
    ...[...tx.seen].map(([kind, count]) => refuseStale({ kind, count })),
    ...refs.removed,
    ...labels.removed,
    ...anchors.removed,
    ...tx.histories,
    ...revisionStatements(tx),
    ...searchStatements(net, isCreation(tx)),
    ...entityStatements(net),
    ...anchors.added,
    ...refs.added,
    ...labels.added,
    ...totalStatements(net),
    ...circleStatements(net),
    ...nameStatements(net),
    ...namesakeStatements(net),
    ...tx.imports.flatMap(({ statements }) => statements),
  ];
}

/**
 * Stores the staged changes as one batch: entities, their history, what refers to what, and `extra` statements.
 * @returns `overtaken` when another change came first, and the request is to be computed again; a Problem where it was
 *   refused for what is no longer so: it can be computed again, and where that ends the same, the Problem is the answer
 * @throws Problem 400 or 409 where references do not allow it, 413, 503 where it is unknown if it was stored
 */
export async function commit(tx: Transaction, extra: Statement[] = []): Promise<Outcome> {
  requireRegistrableNames(tx);
  requireNamed(tx);
  const statements = [...statementsOf(tx), ...extra, ...(tx.dryRun ? [rollBack()] : [])];
  for (let sends = 1; ; sends++) {
    try {
      await tx.db.batch(...statements);
      return stored(tx);
    } catch (error) {
      const verdict = await judge(tx, error, sends);
      if (verdict !== 'send again') return verdict === 'stored' ? stored(tx) : verdict;
    }
  }
}

function stored({ dryRun, afterwards }: Transaction): 'stored' {
  if (!dryRun) for (const act of afterwards) act();
  return 'stored';
}

/** What became of a transaction. */
type Outcome = 'stored' | 'overtaken' | Problem;

/** What follows from a batch that failed, or whose answer was lost; `sends` counts how often it was sent. */
async function judge(
  tx: Transaction,
  error: unknown,
  sends: number,
): Promise<Outcome | 'send again'> {
  const failure = classify(error);
  if (failure === 'dry run') return 'stored';
  if (sends > 1 && (await landed(tx))) return 'stored';
  if (failure === 'lost' && sends < maxSends) return 'send again';
  if (failure === 'lost' || (failure === 'other' && sends > 1)) throw unknownOutcome();
  if (failure === 'other') throw error;
  if (failure === 'taken') throw explainTaken(tx.changes, error);
  if (failure === 'circle') throw explainCircle(tx.changes, error);
  if (failure === 'conflict') return 'overtaken';
  if (failure === 'unregistered') return explainUnknown(tx, error);
  const refusal = await explainRefusal(tx);
  if (refusal) throw refusal;
  return unexplained(failure);
}

const unknownOutcome = () =>
  Problem.unavailable(
    'The connection to the database was lost; read the entity to see whether the change was stored.',
  );

const requestOf = compile(
  query.select({ requestID: revisions.requestID }).from(revisions).where(oneVersion),
);

/** Whether an earlier sending of this transaction was stored, though its answer was lost: its first row is there. */
async function landed({ db, author, changes, imports }: Transaction): Promise<boolean> {
  const { requestID } = author;
  const [change] = changes
    .filter(({ isRecorded }) => !isRecorded)
    .map(({ kind: { kind }, id, version }) => ({ kind, id, version }));
  const [rows] = imports.map(({ kind }) => ({ kind, id: requestID, version: 1 }));
  const first = change ?? rows;
  if (!first) return false;
  try {
    const [found] = await db.batch(requestOf(first));
    return found.some((row) => row.requestID === requestID);
  } catch {
    throw unknownOutcome();
  }
}
