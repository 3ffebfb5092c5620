import type { ExperimentEntity, GroupEntity, LayerEntity } from '../entities.ts';
import type { SpecCondition } from '../spec.ts';
import { isUnit, passesGate, segmentName } from './conditions.ts';
import { alsoIn } from './rules.ts';
import { type CompileScope, reaches } from './scope.ts';

export interface Override {
  readonly id: string;
  readonly group: GroupEntity;
  readonly conditions: readonly SpecCondition[];
}

interface IDOverride {
  readonly group: GroupEntity | undefined;
  readonly unit: string;
  readonly environment: string | null | undefined;
  readonly ids: readonly string[];
}

interface GateOverride {
  readonly group: GroupEntity | undefined;
  readonly type: 'gate' | 'segment';
  readonly id: string;
  readonly environment?: string | null | undefined;
}

const joinID = (...parts: (string | null | undefined)[]) => parts.filter(Boolean).join(':');

const resolveOverrides = <G extends Pick<GateOverride, 'group' | 'environment'>>(
  given: readonly G[],
  scope: CompileScope,
  make: (override: G, group: GroupEntity) => Override,
): Override[] =>
  given.flatMap((override) => {
    const { group, environment } = override;
    return group && reaches(scope, environment ? [environment] : null)
      ? [make(override, group)]
      : [];
  });

/** Returns ID overrides: first those of the layer, then those of the experiment. */
export function idOverrides(
  { id, idType, groups, overrides }: ExperimentEntity,
  layer: LayerEntity | undefined,
  scope: CompileScope,
): Override[] {
  const ofLayer = (layer?.overrides.idOverrides ?? [])
    .filter(({ experimentName }) => experimentName === id)
    .map(({ groupName, ids, idType: unit, environment }): IDOverride => {
      const group = groups.find(({ name }) => name === groupName);
      return { group, unit, environment, ids };
    });
  const own = overrides.userIDOverrides.map(
    ({ groupID, ids, environment, unitType: unit = idType }): IDOverride => {
      const group = groups.find((candidate) => candidate.id === groupID);
      return { group, unit, environment, ids };
    },
  );
  const listed = [...ofLayer, ...own].filter(({ ids }) => ids.length > 0);
  return resolveOverrides(listed, scope, ({ unit, environment, ids }, group) => ({
    id: joinID(group.id, unit, environment, 'id_override'),
    group,
    conditions: alsoIn(environment, [isUnit(unit, ids)]),
  }));
}

/** Returns overrides by gate and segment: first those of the layer, then those of the experiment. */
export function gateOverrides(
  { id, groups, overrides }: ExperimentEntity,
  layer: LayerEntity | undefined,
  scope: CompileScope,
): Override[] {
  const ofLayer = (layer?.overrides.conditionalOverrides ?? [])
    .filter(({ experimentName }) => experimentName === id)
    .map(({ type, name, groupName }): GateOverride => {
      const group = groups.find((candidate) => candidate.name === groupName);
      return { group, type, id: name };
    });
  const own = overrides.overrides.map(({ groupID, ...override }): GateOverride => {
    const group = groups.find((candidate) => candidate.id === groupID);
    return { group, ...override };
  });
  return resolveOverrides(
    [...ofLayer, ...own],
    scope,
    ({ type, id: gateID, environment }, group) => {
      const gate = type === 'segment' ? segmentName(gateID) : gateID;
      return {
        id: joinID(group.id, gate, environment, 'override'),
        group,
        conditions: alsoIn(environment, [passesGate(gate)]),
      };
    },
  );
}
