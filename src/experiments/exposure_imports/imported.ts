import { inWords } from '../../base/english.ts';
import { Problem } from '../../base/problem.ts';
import { storedUnitType } from '../../base/unit_types.ts';
import { attributesOf } from '../../data/exposures/dimensions.ts';
import { analysisDraw, type Exposure } from '../../data/exposures/table.ts';
import { sdkUser } from '../../engine/evaluation/user.ts';
import { ruleStartTime } from '../../flags/gates/gate.ts';
import { gates } from '../../flags/gates/table.ts';
import type { Entity } from '../../platform/store/core/entity.ts';
import type { Kind } from '../../platform/store/core/kind.ts';
import type { Transaction } from '../../platform/store/core/transaction.ts';
import { autotunes } from '../autotunes/table.ts';
import { experiments } from '../experiments/table.ts';
import { holdouts } from '../holdouts/table.ts';
import type { ExposureInput } from './schema.ts';

const sender = 'import';

interface ImportTarget {
  readonly idType: string;
  readonly start: (group: string) => number | null;
  readonly dimensions?: readonly { name: string }[];
  readonly groups?: ReadonlyMap<string, string>;
}

async function entitiesOf<E extends Entity>(
  tx: Transaction,
  kind: Kind<E>,
  given: readonly ExposureInput[],
  describe: (entity: E) => ImportTarget,
): Promise<[string, ImportTarget][]> {
  const ids = new Set(given.filter((row) => row.kind === kind.kind).map(({ id }) => id));
  const found = await tx.findMany(kind, [...ids]);
  return found.map((entity) => [`${kind.kind} ${entity.id}`, describe(entity)]);
}

async function exposedEntities(tx: Transaction, given: readonly ExposureInput[]) {
  const found = await Promise.all([
    entitiesOf(tx, experiments, given, ({ idType, startTime, groups, ...settings }) => ({
      idType,
      start: () => startTime,
      dimensions: settings.preComputedUserDimensions ?? [],
      groups: new Map([
        ...groups.map(({ id, name }) => [name, id] as const),
        ...groups.map(({ id }) => [id, id] as const), // an id wins over an equal name
      ]),
    })),
    entitiesOf(tx, autotunes, given, ({ idType, startTime, variants }) => ({
      idType,
      start: () => startTime,
      groups: new Map(variants.map(({ name }) => [name, name])),
    })),
    entitiesOf(tx, gates, given, (gate) => ({
      idType: gate.idType,
      start: (group) => ruleStartTime(gate, group.replace(/:(on|off)$/, '')),
    })),
    entitiesOf(tx, holdouts, given, ({ idType, phaseTime, createdTime }) => ({
      idType,
      start: () => phaseTime ?? createdTime,
    })),
  ]);
  return new Map(found.flat());
}

/** Returns the stored exposures. @throws Problem 400 naming an unknown entity, group or ID type, 409 before a start. */
export async function importedExposures(
  tx: Transaction,
  given: readonly ExposureInput[],
): Promise<Exposure[]> {
  const known = await exposedEntities(tx, given);
  return given.map(({ kind, id, group: groupName, unit, time, ...row }, index) => {
    const entity = known.get(`${kind} ${id}`);
    const path = `exposures.${index}`;
    if (!entity)
      throw Problem.property(`${path}.id`, `must be the id of an existing ${inWords(kind)}`);
    const group = entity.groups ? entity.groups.get(groupName) : groupName;
    if (group === undefined) throw Problem.property(`${path}.group`, `must be a group of ${id}`);
    const unitType = storedUnitType(entity.idType);
    if (storedUnitType(row.unitType) !== unitType)
      throw Problem.property(`${path}.unitType`, `must be ${entity.idType}, the ID type of ${id}`);
    const start = entity.start(group);
    if (start === null)
      throw new Problem('transition', `The ${inWords(kind)} ${id} has not started.`);
    const draw = analysisDraw(kind, id, unit);
    const user = sdkUser({ custom: row.attributes });
    const attributes = entity.dimensions ? attributesOf(user, entity.dimensions) : {};
    return { kind, id, start, unitType, unit, group, firstTime: time, draw, attributes, sender };
  });
}
