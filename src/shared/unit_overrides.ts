import * as z from 'zod';
import { Problem } from '../problem.ts';
import { most } from './bounds.ts';
import { nullableName, unitIDs, word } from './fields.ts';
import {
  type Edit,
  editEntries,
  editIDs,
  keptBeside,
  requireFew,
  withoutEntries,
  withoutIDs,
} from './overrides.ts';
import { knownUnit, placedTwice } from './placements.ts';

const idLists = { passingIDs: unitIDs, failingIDs: unitIDs };

/** Units that pass or fail whatever else is said. */
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
      .max(most.overrides),
  })
  .meta({
    id: 'UnitOverrides',
    examples: [{ passingUserIDs: ['u-1'], failingUserIDs: [], environmentOverrides: [] }],
  });

/** Body of the overrides operations. */
export const unitOverridesRequest = unitOverridesResponse
  .extend({
    environmentOverrides: z
      .array(
        z.object({
          environment: nullableName
            .transform((environment) => environment || null)
            .optional()
            .meta({
              description:
                'Null or empty: no environment in particular. Absent: likewise, and any in a removal.',
            }),
          unitID: word,
          ...idLists,
        }),
      )
      .max(most.overrides),
  })
  .partial()
  .meta({ id: 'UnitOverridesInput', examples: [{ passingUserIDs: ['u-1'] }] });

export type UnitOverrides = z.infer<typeof unitOverridesResponse>;

type Given = z.infer<typeof unitOverridesRequest>;
type Entry = UnitOverrides['environmentOverrides'][number];

/** On which side a unit is put, by which property. */
interface Placement {
  /** The id, with its unit. */
  of: [id: string, unitID: string];
  /** Null for all. */
  environment: string | null;
  place: 'passes' | 'fails';
  property: string;
}

/** Where overrides put each id. The lists of user ids are those of no environment in particular. */
function placements({
  passingUserIDs = [],
  failingUserIDs = [],
  environmentOverrides = [],
}: Given): Placement[] {
  const place = (
    ids: string[],
    side: Placement['place'],
    property: string,
    unitID = 'userID',
    environment: string | null = null,
  ) => {
    const unit = knownUnit(unitID);
    return ids.map((id): Placement => ({ of: [id, unit], environment, place: side, property }));
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

/** 400 for the first id of a body that would both pass and fail; `kept` is what stays beside the body. */
function requireOneSide(kept: Given, given: Given): void {
  const found = placedTwice(placements(kept), placements(given));
  if (found)
    throw Problem.property(
      found.twice.property,
      `names ${found.twice.of[0]}, which ${found.first} already; an id stands on one side`,
    );
}

type GivenEntries = NonNullable<Given['environmentOverrides']>;

const settled = (given: GivenEntries): Entry[] =>
  given.map((entry) => ({ ...entry, environment: entry.environment || null }));

/** No overrides. */
export const noUnitOverrides = (): UnitOverrides => ({
  passingUserIDs: [],
  failingUserIDs: [],
  environmentOverrides: [],
});

/** An entity with its overrides replaced or added to. */
export function editUnitOverrides<E extends { overrides: UnitOverrides }>(
  entity: E,
  edit: Edit,
  given: Given,
): E {
  const { overrides: old } = entity;
  const { passingUserIDs: passing, failingUserIDs: failing, environmentOverrides: others } = given;
  requireOneSide(keptBeside(edit, old, given), given);
  const overrides: UnitOverrides = {
    passingUserIDs: editIDs(edit, old.passingUserIDs, passing),
    failingUserIDs: editIDs(edit, old.failingUserIDs, failing),
    environmentOverrides: editEntries(edit, old.environmentOverrides, others && settled(others)),
  };
  requireFew(overrides);
  return { ...entity, overrides };
}

/** An entity without the overrides that fit, in any environment where none is said; an empty body removes all. */
export function removeUnitOverrides<E extends { overrides: UnitOverrides }>(
  entity: E,
  given: Given,
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
