import { sql } from 'drizzle-orm';
import { Problem } from '../../problem.ts';
import type { Collection } from '../../store/collection.ts';
import { refersTo } from '../../store/references.ts';
import type { Transaction } from '../../store/transaction.ts';
import type { Experiment } from './schema.ts';

/** Sums of shares such as 33.3 + 33.3 + 33.4 are not exact. */
const tolerance = 1e-6;

/** The percent of a layer that an experiment takes: its allocation while it is active there. */
const taken = (experiment: Experiment | undefined, layerID: string) =>
  experiment?.status === 'active' && experiment.layerID === layerID ? experiment.allocation : 0;

/**
 * Keeps the active experiments of a layer within 100 percent of it. Where another of them starts or grows before
 * the commit, the request is computed again.
 * @throws Problem 409 that says how much of the layer is free
 */
export async function requireRoom(
  tx: Transaction,
  experiments: Collection<Experiment>,
  before: Experiment | undefined,
  after: Experiment | undefined,
): Promise<void> {
  const layerID = after?.layerID;
  if (!layerID || taken(after, layerID) <= taken(before, layerID)) return;
  const onLayer = sql`${refersTo(experiments, 'layer', [layerID])} and status = 'active'`;
  const active = await tx.findAll(experiments, onLayer, (other) => taken(other, layerID) > 0);
  const others = active.filter(({ id }) => id !== after.id);
  const free = others.reduce((left, other) => left - other.allocation, 100);
  if (after.allocation <= free + tolerance) return;
  throw new Problem(
    'transition',
    `The experiment needs ${after.allocation} % of the layer ${layerID}, of which ${round(free)} % is free.`,
  );
}

const round = (percent: number) => Math.max(0, Math.round(percent * 1e6) / 1e6);
