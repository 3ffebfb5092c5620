import type * as z from 'zod';
import { partID, type Reference } from '../../base/naming.ts';
import { Problem } from '../../base/problem.ts';
import { storedUnitType } from '../../base/unit_types.ts';
import {
  type Edit,
  editEntries,
  requireFew,
  unreplacedOverrides,
  withoutEntries,
} from '../../flags/rules/overrides.ts';
import { findConflict, type PlacedOverride } from '../../flags/rules/placements.ts';
import { onLayer } from '../../model/layer_anchors.ts';
import type { Layer, overridesRemoval, overridesRequest } from './schema.ts';

type LayerOverrides = Layer['overrides'];

const groupPlacements = ({ conditionalOverrides, idOverrides }: LayerOverrides) => [
  ...conditionalOverrides.map(({ type, name, experimentName, groupName }, index) => ({
    of: [name, type, experimentName] as const,
    place: groupName,
    property: `conditionalOverrides.${index}`,
  })),
  ...idOverrides.flatMap(({ ids, idType, environment, experimentName, groupName }, index) =>
    ids.map((id) => ({
      of: [id, 'id', storedUnitType(idType), experimentName] as const,
      environment,
      place: groupName,
      property: `idOverrides.${index}`,
    })),
  ),
];

const experimentPlacements = ({ idOverrides }: LayerOverrides) =>
  idOverrides.flatMap(({ ids, idType, experimentName }, index) =>
    ids.map((id) => ({
      of: [id, storedUnitType(idType)] as const,
      place: experimentName,
      property: `idOverrides.${index}`,
    })),
  );

function requireOnePlace(kept: PlacedOverride[], given: PlacedOverride[], what: string): void {
  const found = findConflict(kept, given);
  if (!found) return;
  const { property, of, place } = found.twice;
  const message = `must not put ${of[0]} into ${place}: it is in ${found.first}, and can only be in one ${what}`;
  throw Problem.property(property, message);
}

export const noLayerOverrides: LayerOverrides = { conditionalOverrides: [], idOverrides: [] };

/** Replaces the overrides of a layer, or adds to them. */
export function editLayerOverrides(
  layer: Layer,
  edit: Edit,
  given: z.infer<typeof overridesRequest>,
): Layer {
  const { overrides: old } = layer;
  if (edit === 'replace' && !given.conditionalOverrides && !given.idOverrides)
    throw Problem.property('conditionalOverrides', 'is required if idOverrides is missing');
  const overrides = {
    conditionalOverrides: editEntries(edit, old.conditionalOverrides, given.conditionalOverrides),
    idOverrides: editEntries(edit, old.idOverrides, given.idOverrides),
  };
  requireFew(overrides);
  const { conditionalOverrides = [], idOverrides = [] } = given;
  const added = { conditionalOverrides, idOverrides };
  const kept = unreplacedOverrides(edit, old, given);
  requireOnePlace(groupPlacements(kept), groupPlacements(added), 'group');
  requireOnePlace(experimentPlacements(kept), experimentPlacements(added), 'experiment of a layer');
  return { ...layer, overrides };
}

type OverrideTarget = Pick<LayerOverrides['idOverrides'][number], 'experimentName' | 'groupName'>;

/** Removes matching overrides, of any ID type or environment if none is given; all without a body. */
export function removeLayerOverrides(layer: Layer, body: z.infer<typeof overridesRemoval>): Layer {
  const { overrides: old } = layer;
  if (!body.conditionalOverrides && !body.idOverrides)
    return { ...layer, overrides: noLayerOverrides };
  const conditionalOverrides = withoutEntries(
    old.conditionalOverrides,
    body.conditionalOverrides ?? [],
  );
  const idOverrides = withoutEntries(old.idOverrides, body.idOverrides ?? []);
  return { ...layer, overrides: { conditionalOverrides, idOverrides } };
}

const targetReferences = (
  layerID: string,
  { experimentName, groupName }: OverrideTarget,
  property: string,
): Reference[] => {
  const of = { kind: 'experiment', id: experimentName };
  return [
    { ...onLayer(layerID, experimentName), property: `${property}.experimentName`, of },
    {
      kind: 'experiment_group',
      id: partID(experimentName, groupName),
      property: `${property}.groupName`,
      of,
    },
  ];
};

export const overrideReferences = ({
  id,
  overrides: { conditionalOverrides, idOverrides },
}: Layer): Reference[] => [
  ...conditionalOverrides.flatMap((override, index) => [
    { kind: override.type, id: override.name, property: `conditionalOverrides.${index}.name` },
    ...targetReferences(id, override, `conditionalOverrides.${index}`),
  ]),
  ...idOverrides.flatMap((override, index) =>
    targetReferences(id, override, `idOverrides.${index}`),
  ),
];
