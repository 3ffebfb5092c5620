import { sdkUser } from '../../evaluation/user.ts';
import { Problem } from '../../problem.ts';
import { inWords } from '../../shared/english.ts';
import type { Entity } from '../../store/core/entity.ts';
import type { Kind } from '../../store/core/kind.ts';
import type { Transaction } from '../../store/core/transaction.ts';
import { autotunes } from '../autotunes/table.ts';
import { experiments } from '../experiments/table.ts';
import { startOf } from '../gates/gate.ts';
import { gates } from '../gates/table.ts';
import { holdouts } from '../holdouts/table.ts';
import { dimensionsOf } from './dimensions.ts';
import { analysisDraw } from './draw.ts';
import type { ExposureInput } from './schema.ts';
import type { Exposure } from './table.ts';

/** The start of each group, and the known groups by ID and name; undefined if any text is a group. */
interface Exposed {
  readonly start: (group: string) => number;
  readonly dimensions?: readonly { name: string }[];
  readonly groups?: ReadonlyMap<string, string>;
}

async function entitiesOf<E extends Entity>(
  tx: Transaction,
  kind: Kind<E>,
  given: readonly ExposureInput[],
  exposedOf: (entity: E) => Exposed,
): Promise<[string, Exposed][]> {
  const ids = new Set(given.filter((row) => row.kind === kind.kind).map(({ id }) => id));
  const found = await tx.findMany(kind, [...ids]);
  return found.map((entity) => [`${kind.kind} ${entity.id}`, exposedOf(entity)]);
}

/** Reads the entities of some exposures, in one round trip. */
async function exposedBy(tx: Transaction, given: readonly ExposureInput[]) {
  const found = await Promise.all([
    entitiesOf(tx, experiments, given, ({ startTime, groups, preComputedUserDimensions = [] }) => ({
      start: () => startTime ?? 0,
      dimensions: preComputedUserDimensions,
      groups: new Map([
        ...groups.map(({ id, name }) => [name, id] as const),
        ...groups.map(({ id }) => [id, id] as const), // of one that is called by the id of another, that is meant
      ]),
    })),
    entitiesOf(tx, autotunes, given, ({ startTime, variants }) => ({
      start: () => startTime ?? 0,
      groups: new Map(variants.map(({ name }) => [name, name])),
    })),
    entitiesOf(tx, gates, given, (gate) => ({
      start: (group) => startOf(gate, group.replace(/:(on|off)$/, '')),
    })),
    entitiesOf(tx, holdouts, given, ({ phaseTime, createdTime }) => ({
      start: () => phaseTime ?? createdTime,
    })),
  ]);
  return new Map(found.flat());
}

/**
 * Returns exposures that were made elsewhere, for storage.
 * @throws Problem 400 naming an unknown entity or group
 */
export async function importedExposures(
  tx: Transaction,
  given: readonly ExposureInput[],
): Promise<Exposure[]> {
  const known = await exposedBy(tx, given);
  return given.map(({ kind, id, group: named, unitType, unit, time, ...row }, index) => {
    const of = known.get(`${kind} ${id}`);
    const at = `exposures.${index}`;
    if (!of) throw Problem.property(`${at}.id`, `must be the id of an existing ${inWords(kind)}`);
    const group = of.groups ? of.groups.get(named) : named;
    if (group === undefined) throw Problem.property(`${at}.group`, `must be a group of ${id}`);
    const draw = analysisDraw(kind, id, unit);
    const start = of.start(group);
    const user = sdkUser({ custom: row.attributes });
    const attributes = dimensionsOf(user, of.dimensions ?? []);
    return { kind, id, start, unitType, unit, group, firstTime: time, draw, attributes };
  });
}
