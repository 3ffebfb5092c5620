import type * as z from 'zod';
import { Problem } from '../../problem.ts';
import { type Edit, editEntries } from '../../shared/overrides.ts';
import type { Experiment, overridesRequest } from './schema.ts';

type Overrides = Experiment['overrides'];

/** Reports the first thing that is assigned to two groups, or to one that is not there. */
function check({ groups }: Experiment, { overrides, userIDOverrides }: Overrides): void {
  const assigned = [
    ...overrides.map(({ type, id, environment, groupID }, index) => {
      return { name: [type, id, environment ?? null], groupID, property: `overrides.${index}` };
    }),
    ...userIDOverrides.flatMap(({ ids, unitType, environment, groupID }, index) =>
      ids.map((id) => {
        const name = ['unit', id, environment ?? null, unitType ?? null];
        return { name, groupID, property: `userIDOverrides.${index}` };
      }),
    ),
  ];
  const seen = new Map<string, string>();
  for (const { name, groupID, property } of assigned) {
    if (!groups.some(({ id }) => id === groupID))
      throw Problem.property(
        `${property}.groupID`,
        `names ${groupID}, which is no group of this experiment`,
      );
    const key = JSON.stringify(name);
    if (seen.has(key) && seen.get(key) !== groupID)
      throw Problem.property(
        property,
        `puts ${name[1]} into a second group; it can be in one only`,
      );
    seen.set(key, groupID);
  }
}

/** An experiment with its overrides replaced, added to or reduced; nothing given to remove removes all. */
export function editExperimentOverrides(
  experiment: Experiment,
  edit: Edit,
  body: z.infer<typeof overridesRequest>,
): Experiment {
  const old = experiment.overrides;
  const given = Object.keys(body).length === 0 && edit === 'remove' ? old : body;
  const result = {
    overrides: given.overrides
      ? editEntries(edit, old.overrides, given.overrides, ['type', 'id', 'environment', 'groupID'])
      : old.overrides,
    userIDOverrides: given.userIDOverrides
      ? editEntries(
          edit,
          old.userIDOverrides,
          given.userIDOverrides,
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
