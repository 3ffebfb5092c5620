import type * as z from 'zod';
import { Problem } from '../../problem.ts';
import { type Anchor, partID, type Reference } from '../../shared/naming.ts';
import {
  type Edit,
  editEntries,
  keptBeside,
  requireFew,
  withoutEntries,
} from '../../shared/overrides.ts';
import { knownUnit, type Placement, placedTwice } from '../../shared/placements.ts';
import type { Layer, overridesRemoval, overridesRequest } from './schema.ts';

type Overrides = Layer['overrides'];

/** What overrides put into groups of experiments. */
const grouped = ({ conditionalOverrides, idOverrides }: Overrides) => [
  ...conditionalOverrides.map(({ type, name, experimentName, groupName }, index) => ({
    of: [name, type, experimentName] as const,
    place: groupName,
    property: `conditionalOverrides.${index}`,
  })),
  ...idOverrides.flatMap(({ ids, idType, environment, experimentName, groupName }, index) =>
    ids.map((id) => ({
      of: [id, 'id', knownUnit(idType), experimentName] as const,
      environment,
      place: groupName,
      property: `idOverrides.${index}`,
    })),
  ),
];

/** What overrides put into experiments: a layer is there so that a unit is in one. */
const placed = ({ idOverrides }: Overrides) =>
  idOverrides.flatMap(({ ids, idType, experimentName }, index) =>
    ids.map((id) => ({
      of: [id, knownUnit(idType)] as const,
      place: experimentName,
      property: `idOverrides.${index}`,
    })),
  );

type Placed = Placement & { property: string };

/** 400 for the first thing that is put into two places, of which it can be in one. */
function requireOnePlace(kept: Placed[], given: Placed[], what: string): void {
  const found = placedTwice(kept, given);
  if (!found) return;
  const { property, of, place } = found.twice;
  const message = `puts ${of[0]} into ${place}, and it is in ${found.first}; it can be in one ${what} only`;
  throw Problem.property(property, message);
}

/** The overrides of a layer that has none. */
export const noLayerOverrides: Overrides = { conditionalOverrides: [], idOverrides: [] };

/** A layer with its overrides replaced or added to. */
export function editLayerOverrides(
  layer: Layer,
  edit: Edit,
  given: z.infer<typeof overridesRequest>,
): Layer {
  const { overrides: old } = layer;
  if (edit === 'replace' && !given.conditionalOverrides && !given.idOverrides)
    throw Problem.property('conditionalOverrides', 'is required where idOverrides is absent');
  const overrides = {
    conditionalOverrides: editEntries(edit, old.conditionalOverrides, given.conditionalOverrides),
    idOverrides: editEntries(edit, old.idOverrides, given.idOverrides),
  };
  requireFew(overrides);
  const { conditionalOverrides = [], idOverrides = [] } = given;
  const said = { conditionalOverrides, idOverrides };
  const kept = keptBeside(edit, old, given);
  requireOnePlace(grouped(kept), grouped(said), 'group');
  requireOnePlace(placed(kept), placed(said), 'experiment of a layer');
  return { ...layer, overrides };
}

type Target = Pick<Overrides['idOverrides'][number], 'experimentName' | 'groupName'>;

/** A layer without the overrides that fit: of any id type or environment where none is said; without a body, of all. */
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

/** What an experiment is for the overrides of its layer: they can name those alone that are on it. */
export const onLayer = (layerID: string, experimentID: string): Anchor => ({
  kind: 'experiment_on_the_layer',
  id: partID(layerID, experimentID),
});

/** The experiment on a layer and the group of it that an override names. */
const target = (
  layerID: string,
  { experimentName, groupName }: Target,
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

/** Everything that the overrides of a layer name. */
export const overrideReferences = ({
  id,
  overrides: { conditionalOverrides, idOverrides },
}: Layer): Reference[] => [
  ...conditionalOverrides.flatMap((override, index) => [
    { kind: override.type, id: override.name, property: `conditionalOverrides.${index}.name` },
    ...target(id, override, `conditionalOverrides.${index}`),
  ]),
  ...idOverrides.flatMap((override, index) => target(id, override, `idOverrides.${index}`)),
];
