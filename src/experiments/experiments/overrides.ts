import type * as z from 'zod';
import { Problem } from '../../base/problem.ts';
import { storedUnitType } from '../../base/unit_types.ts';
import {
  type Edit,
  editEntries,
  requireFew,
  unreplacedOverrides,
  withoutEntries,
} from '../../flags/rules/overrides.ts';
import { findConflict } from '../../flags/rules/placements.ts';
import type { overridesRequest } from './schema/overrides.ts';
import type { Experiment } from './schema.ts';

type ExperimentOverrides = Experiment['overrides'];
type Body = z.infer<typeof overridesRequest>;
type WithUnit = Pick<Experiment, 'idType'>;

/** An empty environment means all environments, stored as null. */
const normalizedEntries = <E extends { environment?: string | null | undefined }>(
  given: E[] | undefined,
) => given?.map((entry) => (entry.environment === '' ? { ...entry, environment: null } : entry));

const placementsOf = (
  { idType }: WithUnit,
  { overrides, userIDOverrides }: ExperimentOverrides,
) => [
  ...overrides.map(({ type, id, environment, groupID }, index) => ({
    of: [id, type] as const,
    environment,
    place: groupID,
    property: `overrides.${index}`,
  })),
  ...userIDOverrides.flatMap(({ ids, unitType = idType, environment, groupID }, index) =>
    ids.map((id) => ({
      of: [id, 'unit', storedUnitType(unitType)] as const,
      environment,
      place: groupID,
      property: `userIDOverrides.${index}`,
    })),
  ),
];

export const noOverrides: ExperimentOverrides = { overrides: [], userIDOverrides: [] };

/** Returns the first unit, gate or segment that overrides put into a second group, given those `kept`. */
export function secondPlacement(
  experiment: WithUnit,
  overrides: ExperimentOverrides,
  kept = noOverrides,
) {
  return findConflict(placementsOf(experiment, kept), placementsOf(experiment, overrides))?.twice;
}

function requireGroups({ groups }: Experiment, overrides: ExperimentOverrides): void {
  const known = new Set(groups.map(({ id }) => id));
  for (const list of ['overrides', 'userIDOverrides'] as const)
    overrides[list].forEach(({ groupID }, index) => {
      if (!known.has(groupID))
        throw Problem.property(
          `${list}.${index}.groupID`,
          `must be the id of a group of this experiment, not ${groupID}`,
        );
    });
}

/** Replaces or adds overrides. @throws Problem 400 for an unknown group, or a unit in two groups. */
export function editExperimentOverrides(
  experiment: Experiment,
  edit: Edit,
  body: Body,
): Experiment {
  const old = experiment.overrides;
  const [given, units] = [
    normalizedEntries(body.overrides),
    normalizedEntries(body.userIDOverrides),
  ];
  const overrides = {
    overrides: editEntries(edit, old.overrides, given),
    userIDOverrides: editEntries(edit, old.userIDOverrides, units),
  };
  requireFew(overrides);
  const givenOverrides = { overrides: given ?? [], userIDOverrides: units ?? [] };
  requireGroups(experiment, givenOverrides);
  const twice = secondPlacement(experiment, givenOverrides, unreplacedOverrides(edit, old, body));
  if (twice)
    throw Problem.property(twice.property, `must not put ${twice.of[0]} into a second group`);
  return { ...experiment, overrides };
}

/** Removes matching overrides, or all if the body has none. An entry without an environment matches any. */
export function removeExperimentOverrides(experiment: Experiment, body: Body): Experiment {
  const { overrides: old, idType } = experiment;
  const isEmpty = !body.overrides && !body.userIDOverrides;
  if (isEmpty) return { ...experiment, overrides: noOverrides };
  const overrides = withoutEntries(old.overrides, normalizedEntries(body.overrides) ?? []);
  const userIDOverrides = withoutEntries(
    old.userIDOverrides,
    normalizedEntries(body.userIDOverrides) ?? [],
    ({ unitType = idType, ...entry }) => ({ ...entry, unitType }),
  );
  return { ...experiment, overrides: { overrides, userIDOverrides } };
}
