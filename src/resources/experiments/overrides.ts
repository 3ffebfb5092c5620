import type * as z from 'zod';
import { Problem } from '../../problem.ts';
import {
  type Edit,
  editEntries,
  keptBeside,
  requireFew,
  withoutEntries,
} from '../../shared/overrides.ts';
import { knownUnit, placedTwice } from '../../shared/placements.ts';
import type { overridesRequest } from './overrides_schema.ts';
import type { Experiment } from './schema.ts';

type Overrides = Experiment['overrides'];
type Body = z.infer<typeof overridesRequest>;
type WithUnit = Pick<Experiment, 'idType'>;

/** An empty environment means all environments. */
const settled = <E extends { environment?: string | null | undefined }>(given: E[] | undefined) =>
  given?.map((entry) => (entry.environment === '' ? { ...entry, environment: null } : entry));

/** Lists the assignments of overrides to groups. */
const assigned = ({ idType }: WithUnit, { overrides, userIDOverrides }: Overrides) => [
  ...overrides.map(({ type, id, environment, groupID }, index) => ({
    of: [id, type] as const,
    environment,
    place: groupID,
    property: `overrides.${index}`,
  })),
  ...userIDOverrides.flatMap(({ ids, unitType = idType, environment, groupID }, index) =>
    ids.map((id) => ({
      of: [id, 'unit', knownUnit(unitType)] as const,
      environment,
      place: groupID,
      property: `userIDOverrides.${index}`,
    })),
  ),
];

export const noOverrides: Overrides = { overrides: [], userIDOverrides: [] };

/**
 * Returns the first assignment that puts a unit into a second group. Without a unit type, a unit has the experiment's
 * type.
 * @param kept other overrides that stay
 */
export function inTwoGroups(experiment: WithUnit, overrides: Overrides, kept = noOverrides) {
  return placedTwice(assigned(experiment, kept), assigned(experiment, overrides))?.twice;
}

/** @throws Problem 400 if overrides name an unknown group, even for no IDs */
function requireGroups({ groups }: Experiment, overrides: Overrides): void {
  const known = new Set(groups.map(({ id }) => id));
  for (const list of ['overrides', 'userIDOverrides'] as const)
    overrides[list].forEach(({ groupID }, index) => {
      if (!known.has(groupID))
        throw Problem.property(
          `${list}.${index}.groupID`,
          `names ${groupID}, which is no group of this experiment`,
        );
    });
}

/**
 * Replaces or adds overrides.
 * @throws Problem 400 if one unit would be in two groups, or for an unknown group
 */
export function editExperimentOverrides(
  experiment: Experiment,
  edit: Edit,
  body: Body,
): Experiment {
  const old = experiment.overrides;
  const [given, units] = [settled(body.overrides), settled(body.userIDOverrides)];
  const overrides = {
    overrides: editEntries(edit, old.overrides, given),
    userIDOverrides: editEntries(edit, old.userIDOverrides, units),
  };
  requireFew(overrides);
  const said = { overrides: given ?? [], userIDOverrides: units ?? [] };
  requireGroups(experiment, said);
  const twice = inTwoGroups(experiment, said, keptBeside(edit, old, body));
  if (twice)
    throw Problem.property(
      twice.property,
      `puts ${twice.of[0]} into a second group; it can be in one only`,
    );
  return { ...experiment, overrides };
}

/** Removes matching overrides, in any environment unless the body names one. A body without entries removes all. */
export function removeExperimentOverrides(experiment: Experiment, body: Body): Experiment {
  const { overrides: old, idType } = experiment;
  const isEmpty = !body.overrides && !body.userIDOverrides;
  if (isEmpty) return { ...experiment, overrides: noOverrides };
  const overrides = withoutEntries(old.overrides, settled(body.overrides) ?? []);
  const userIDOverrides = withoutEntries(
    old.userIDOverrides,
    settled(body.userIDOverrides) ?? [],
    ({ unitType = idType, ...entry }) => ({ ...entry, unitType }),
  );
  return { ...experiment, overrides: { overrides, userIDOverrides } };
}
