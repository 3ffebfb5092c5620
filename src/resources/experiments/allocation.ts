import { sql } from 'drizzle-orm';
import { Problem } from '../../problem.ts';
import { fitsInto, restOf } from '../../shared/shares.ts';
import type { Condition, Kind, Transaction } from '../../store/terms.ts';
import type { Experiment } from './schema.ts';

/** The percent of a layer that an experiment takes: its allocation while it is active there. */
const taken = (experiment: Experiment | undefined, layerID: string) =>
  experiment?.status === 'active' && experiment.layerID === layerID ? experiment.allocation : 0;

/** A condition: the active experiments on a layer. */
const activeOn = (layerID: string): Condition => ({
  name: 'active on layer',
  where: sql`layerID = ${sql.placeholder('layerID')} and status = 'active'`,
  values: { layerID },
});

/**
 * Keeps the active experiments of a layer within 100 percent of it. Where another of them starts or grows before
 * the commit, the request is computed again.
 * @throws Problem 409 that says how much of the layer is free
 */
export async function requireRoom(
  tx: Transaction,
  experiments: Kind<Experiment>,
  before: Experiment | undefined,
  after: Experiment | undefined,
): Promise<void> {
  const layerID = after?.layerID;
  if (!layerID || taken(after, layerID) <= taken(before, layerID)) return;
  const isTaking = (other: Experiment) => taken(other, layerID) > 0;
  const active = await tx.findAll(experiments, activeOn(layerID), isTaking);
  const others = active.filter(({ id }) => id !== after.id);
  const free = restOf(others.map(({ allocation }) => allocation));
  if (fitsInto(after.allocation, free)) return;
  throw new Problem(
    'transition',
    `The experiment needs ${after.allocation} % of the layer ${layerID}, of which ${Math.max(0, free)} % is free.`,
  );
}
