import * as z from 'zod';
import { nullableName, unitIDs, word } from '../../base/fields.ts';
import { limits } from '../../base/limits.ts';
import { Problem } from '../../base/problem.ts';
import { storedUnitType } from '../../base/unit_types.ts';
import {
  type Edit,
  editEntries,
  editIDs,
  requireFew,
  unreplacedOverrides,
  withoutEntries,
  withoutIDs,
} from './overrides.ts';
import { findConflict, type PlacedOverride } from './placements.ts';

const idLists = { passingIDs: unitIDs, failingIDs: unitIDs };

export const unitOverridesResponse = z
  .object({
    passingUserIDs: unitIDs,
    failingUserIDs: unitIDs,
    environmentOverrides: z
      .array(
        z
          .object({ environment: nullableName, unitID: word, ...idLists })
          .meta({ id: 'EnvironmentOverride' }),
      )
      .max(limits.overrides),
  })
  .meta({
    id: 'UnitOverrides',
    examples: [{ passingUserIDs: ['u-1'], failingUserIDs: [], environmentOverrides: [] }],
  });

export const unitOverridesRequest = unitOverridesResponse
  .extend({
    environmentOverrides: z
      .array(
        z.object({
          environment: nullableName.transform((environment) => environment || null).optional(),
          unitID: word,
          ...idLists,
        }),
      )
      .max(limits.overrides),
  })
  .partial()
  .meta({ id: 'UnitOverridesInput', examples: [{ passingUserIDs: ['u-1'] }] });

export type UnitOverrides = z.infer<typeof unitOverridesResponse>;

type GivenOverrides = z.infer<typeof unitOverridesRequest>;
type EnvironmentOverride = UnitOverrides['environmentOverrides'][number];

/** Lists of user IDs apply to all environments. */
function overridePlacements({
  passingUserIDs = [],
  failingUserIDs = [],
  environmentOverrides = [],
}: GivenOverrides): PlacedOverride[] {
  const place = (
    ids: string[],
    side: 'passes' | 'fails',
    property: string,
    unitID = 'userID',
    environment: string | null = null,
  ) => {
    const unit = storedUnitType(unitID);
    return ids.map(
      (id): PlacedOverride => ({ of: [id, unit], environment, place: side, property }),
    );
  };
  return [
    ...place(passingUserIDs, 'passes', 'passingUserIDs'),
    ...place(failingUserIDs, 'fails', 'failingUserIDs'),
    ...environmentOverrides.flatMap(({ environment, unitID, passingIDs, failingIDs }, index) => {
      const at = `environmentOverrides.${index}`;
      return [
        ...place(passingIDs, 'passes', `${at}.passingIDs`, unitID, environment),
        ...place(failingIDs, 'fails', `${at}.failingIDs`, unitID, environment),
      ];
    }),
  ];
}

/** Throws Problem 400 for the first ID that would both pass and fail; `kept` are overrides outside the body. */
function requireOneSide(kept: GivenOverrides, given: GivenOverrides): void {
  const found = findConflict(overridePlacements(kept), overridePlacements(given));
  if (found)
    throw Problem.property(
      found.twice.property,
      `must not contain ${found.twice.of[0]}, which ${found.first} already; an id can only pass or fail`,
    );
}

type GivenEntries = NonNullable<GivenOverrides['environmentOverrides']>;

const withEnvironment = (given: GivenEntries): EnvironmentOverride[] =>
  given.map((entry) => ({ ...entry, environment: entry.environment || null }));

export const noUnitOverrides = (): UnitOverrides => ({
  passingUserIDs: [],
  failingUserIDs: [],
  environmentOverrides: [],
});

/** Replaces the overrides of an entity, or adds to them. */
export function editUnitOverrides<E extends { overrides: UnitOverrides }>(
  entity: E,
  edit: Edit,
  given: GivenOverrides,
): E {
  const { overrides: old } = entity;
  const { passingUserIDs: passing, failingUserIDs: failing, environmentOverrides: others } = given;
  requireOneSide(unreplacedOverrides(edit, old, given), given);
  const overrides: UnitOverrides = {
    passingUserIDs: editIDs(edit, old.passingUserIDs, passing),
    failingUserIDs: editIDs(edit, old.failingUserIDs, failing),
    environmentOverrides: editEntries(
      edit,
      old.environmentOverrides,
      others && withEnvironment(others),
    ),
  };
  requireFew(overrides);
  return { ...entity, overrides };
}

/** Removes matching overrides, in any environment if none is given; an empty body removes all. */
export function removeUnitOverrides<E extends { overrides: UnitOverrides }>(
  entity: E,
  given: GivenOverrides,
): E {
  const { passingUserIDs, failingUserIDs, environmentOverrides } = entity.overrides;
  if (Object.keys(given).length === 0) return { ...entity, overrides: noUnitOverrides() };
  const overrides: UnitOverrides = {
    passingUserIDs: withoutIDs(passingUserIDs, given.passingUserIDs),
    failingUserIDs: withoutIDs(failingUserIDs, given.failingUserIDs),
    environmentOverrides: withoutEntries(environmentOverrides, given.environmentOverrides ?? []),
  };
  return { ...entity, overrides };
}
