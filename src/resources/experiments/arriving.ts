import { eq, inArray, sql } from 'drizzle-orm';
import { Problem } from '../../problem.ts';
import { allOf, valuesIn } from '../../store/sqlite.ts';
import type { Condition } from '../../store/statement.ts';
import type { Transaction } from '../../store/terms.ts';
import type { Experiment } from './schema.ts';
import { experiments, experimentTable } from './table.ts';

/** A condition: the active experiments on any of some layers. */
const activeOnAny = (layerIDs: readonly unknown[]): Condition => ({
  name: 'active on any layer',
  where: allOf(
    inArray(experimentTable.layerID, valuesIn(sql.placeholder('layerIDs'))),
    eq(experimentTable.status, 'active'),
  ),
  values: { layerIDs: JSON.stringify(layerIDs) },
});

/** What of some experiments is theirs alone: each bucket of each layer. */
const heldBy = ({ layerID, allocatedBuckets = [] }: Experiment): string[] =>
  allocatedBuckets.map((bucket) => `${bucket} ${layerID}`);

interface Arriving {
  layerID: string;
  /** Where in the request it comes from. */
  origin: string;
}

function refuse({ layerID, origin }: Arriving, holder: string): never {
  throw Problem.property(
    `${origin}allocatedBuckets`,
    `has buckets of the layer ${layerID} that the experiment ${holder} holds`,
  ).from(origin);
}

/**
 * Refuses experiments that are staged with the buckets that they had elsewhere, where another that is active on their
 * layer holds one of these: its units would hop to the other (evaluation, section 5.4).
 * @throws Problem 400 that names who holds it
 */
export async function refuseHeldBuckets(tx: Transaction): Promise<void> {
  const staged = new Map<string, Arriving>(
    tx.changes.flatMap(({ kind, id, after, origin }) => {
      const { layerID } = Object(after);
      return kind.kind === experiments.kind && layerID ? [[id, { layerID, origin }]] : [];
    }),
  );
  if (staged.size === 0) return;
  const layerIDs = new Set<unknown>([...staged.values()].map(({ layerID }) => layerID));
  const isBeside = ({ status, layerID }: Experiment) =>
    status === 'active' && layerIDs.has(layerID);
  const active = await tx.findAll(experiments, activeOnAny([...layerIDs]), isBeside);
  const here = active.filter(({ id }) => !staged.has(id));
  const holders = new Map<string, string>();
  for (const each of [...here, ...active.filter(({ id }) => staged.has(id))])
    for (const held of heldBy(each)) {
      const [holder, arriving] = [holders.get(held), staged.get(each.id)];
      if (holder && arriving) refuse(arriving, holder);
      holders.set(held, each.id);
    }
}
