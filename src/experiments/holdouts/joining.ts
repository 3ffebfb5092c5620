import { eq } from 'drizzle-orm';
import { distinct } from '../../base/distinct.ts';
import type { Gate } from '../../flags/gates/schema.ts';
import type { Draft, Transaction } from '../../platform/store/core/transaction.ts';
import type { SQLCondition } from '../../platform/store/sql/statement.ts';
import type { Experiment } from '../experiments/schema.ts';
import { holdouts, holdoutTable } from './table.ts';

const isGlobal: SQLCondition = {
  name: 'global',
  where: eq(holdoutTable.isGlobal, true),
  values: {},
};

/** Adds a new gate to every global holdout; conflicts repeat the request. See docs/contract/api.md#holdout. */
export async function joinGlobalHoldouts(tx: Transaction, gate: Draft<Gate>): Promise<Draft<Gate>> {
  const global = await tx.findAll(holdouts, isGlobal, (holdout) => holdout.isGlobal);
  for (const holdout of global) {
    const gateIDs = distinct([...holdout.gateIDs, gate.id]);
    tx.update(holdouts, holdout, { ...holdout, gateIDs }, 'add_gate');
  }
  return gate;
}

/** Adds a restarted experiment to the holdouts of the original. */
export async function joinHoldouts(
  tx: Transaction,
  experiment: Draft<Experiment>,
): Promise<Draft<Experiment>> {
  const found = await tx.findMany(holdouts, experiment.holdoutIDs);
  for (const holdout of found) {
    const experimentIDs = distinct([...holdout.experimentIDs, experiment.id]);
    tx.update(holdouts, holdout, { ...holdout, experimentIDs }, 'add_experiment');
  }
  return experiment;
}
