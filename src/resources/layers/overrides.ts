import type * as z from 'zod';
import { Problem } from '../../problem.ts';
import { type Edit, editEntries } from '../../shared/overrides.ts';
import { partID, type Reference } from '../../store/naming.ts';
import type { Layer, overridesRequest } from './schema.ts';

type Overrides = Layer['overrides'];

/** 400 for the first thing that is put into two groups of one experiment. */
function requireOneGroup({ conditionalOverrides, idOverrides }: Overrides): void {
  const assigned = [
    ...conditionalOverrides.map(({ type, name, experimentName, groupName }, index) => {
      return {
        of: [name, type, experimentName],
        groupName,
        property: `conditionalOverrides.${index}`,
      };
    }),
    ...idOverrides.flatMap(({ ids, idType, environment, experimentName, groupName }, index) =>
      ids.map((id) => {
        const of = [id, 'id', idType, environment, experimentName];
        return { of, groupName, property: `idOverrides.${index}` };
      }),
    ),
  ];
  const groups = new Map<string, string>();
  for (const { of, groupName, property } of assigned) {
    const group = groups.get(JSON.stringify(of)) ?? groupName;
    if (group !== groupName)
      throw Problem.property(
        property,
        `puts ${of[0]} into ${groupName}, and it is in ${group}; it can be in one group only`,
      );
    groups.set(JSON.stringify(of), groupName);
  }
}

/** A layer with its overrides replaced (contract, operation 3), added to or reduced; nothing given to remove removes all. */
export function editLayerOverrides(
  layer: Layer,
  edit: Edit,
  body: z.infer<typeof overridesRequest>,
): Layer {
  const { overrides: old } = layer;
  const isEmpty = !body.conditionalOverrides && !body.idOverrides;
  if (isEmpty && edit === 'replace')
    throw Problem.property('conditionalOverrides', 'is required where idOverrides is absent');
  const given = isEmpty && edit === 'remove' ? old : body;
  const overrides = {
    conditionalOverrides: given.conditionalOverrides
      ? editEntries(edit, old.conditionalOverrides, given.conditionalOverrides, [
          'type',
          'name',
          'experimentName',
          'groupName',
        ])
      : old.conditionalOverrides,
    idOverrides: given.idOverrides
      ? editEntries(
          edit,
          old.idOverrides,
          given.idOverrides,
          ['groupName', 'idType', 'environment', 'experimentName'],
          { get: ({ ids }) => [ids], set: (entry, [ids = []]) => ({ ...entry, ids }) },
        )
      : old.idOverrides,
  };
  requireOneGroup(overrides);
  return { ...layer, overrides };
}

/** The experiment and the group of it that an override names. */
const target = (
  { experimentName, groupName }: { experimentName: string; groupName: string },
  property: string,
): Reference[] => [
  { kind: 'experiment', id: experimentName, property: `${property}.experimentName` },
  {
    kind: 'experiment_group',
    id: partID(experimentName, groupName),
    property: `${property}.groupName`,
  },
];

/** Everything that the overrides of a layer name. */
export const overrideReferences = ({
  conditionalOverrides,
  idOverrides,
}: Overrides): Reference[] => [
  ...conditionalOverrides.flatMap((override, index) => [
    { kind: override.type, id: override.name, property: `conditionalOverrides.${index}.name` },
    ...target(override, `conditionalOverrides.${index}`),
  ]),
  ...idOverrides.flatMap((override, index) => target(override, `idOverrides.${index}`)),
];
