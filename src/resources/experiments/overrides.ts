import type * as z from 'zod';
import { Problem } from '../../problem.ts';
import { type Edit, editEntries, withoutEntries, withoutIDs } from '../../shared/overrides.ts';
import type { Experiment, overridesRequest } from './schema.ts';

type Overrides = Experiment['overrides'];
type Body = z.infer<typeof overridesRequest>;
type WithUnit = Pick<Experiment, 'idType'>;

/** What overrides assign to a group, each under a name of its own. */
const assigned = ({ idType }: WithUnit, { overrides, userIDOverrides }: Overrides) => [
  ...overrides.map(({ type, id, environment, groupID }, index) => {
    const name = JSON.stringify([type, id, environment ?? null]);
    return { id, name, groupID, property: `overrides.${index}` };
  }),
  ...userIDOverrides.flatMap(({ ids, unitType = idType, environment, groupID }, index) =>
    ids.map((id) => {
      const name = JSON.stringify(['unit', id, environment ?? null, unitType]);
      return { id, name, groupID, property: `userIDOverrides.${index}` };
    }),
  ),
];

/** The first thing that overrides put into a second group; a unit is of the experiment's own type where none is said. */
export function inTwoGroups(experiment: WithUnit, overrides: Overrides) {
  const groups = new Map<string, string>();
  return assigned(experiment, overrides).find(({ name, groupID }) => {
    const first = groups.get(name) ?? groupID;
    groups.set(name, first);
    return first !== groupID;
  });
}

function check(experiment: Experiment, overrides: Overrides): void {
  const isGroup = (groupID: string) => experiment.groups.some(({ id }) => id === groupID);
  const stray = assigned(experiment, overrides).find(({ groupID }) => !isGroup(groupID));
  if (stray)
    throw Problem.property(
      `${stray.property}.groupID`,
      `names ${stray.groupID}, which is no group of this experiment`,
    );
  const twice = inTwoGroups(experiment, overrides);
  if (twice)
    throw Problem.property(
      twice.property,
      `puts ${twice.id} into a second group; it can be in one only`,
    );
}

/** An experiment with its overrides replaced or added to. */
export function editExperimentOverrides(
  experiment: Experiment,
  edit: Exclude<Edit, 'remove'>,
  { overrides: given, userIDOverrides }: Body,
): Experiment {
  const old = experiment.overrides;
  const result = {
    overrides: given
      ? editEntries(edit, old.overrides, given, ['type', 'id', 'environment', 'groupID'])
      : old.overrides,
    userIDOverrides: userIDOverrides
      ? editEntries(
          edit,
          old.userIDOverrides,
          userIDOverrides,
          ['groupID', 'environment', 'unitType'],
          {
            get: ({ ids }) => [ids],
            set: (entry, [ids = []]) => ({ ...entry, ids }),
          },
        )
      : old.userIDOverrides,
  };
  check(experiment, result);
  return { ...experiment, overrides: result };
}

/** Whether an override is for what is wanted: any environment, unless one is named; null is that for all of them. */
const isFor = (entry: string | null | undefined, wanted: string | null | undefined) =>
  wanted === undefined || (entry ?? null) === wanted;

/** An experiment without the overrides that fit; without any where the body names none. */
export function removeExperimentOverrides(experiment: Experiment, body: Body): Experiment {
  const { overrides: old, idType } = experiment;
  const isEmpty = !body.overrides && !body.userIDOverrides;
  if (isEmpty) return { ...experiment, overrides: { overrides: [], userIDOverrides: [] } };
  const overrides = withoutEntries(
    old.overrides,
    body.overrides ?? [],
    (entry, { type, id, groupID, environment }) =>
      entry.type === type &&
      entry.id === id &&
      entry.groupID === groupID &&
      isFor(entry.environment, environment),
  );
  const userIDOverrides = withoutIDs(
    old.userIDOverrides,
    body.userIDOverrides ?? [],
    (entry, { groupID, environment, unitType }) =>
      entry.groupID === groupID &&
      isFor(entry.environment, environment) &&
      isFor(entry.unitType ?? idType, unitType),
  );
  return { ...experiment, overrides: { overrides, userIDOverrides } };
}
