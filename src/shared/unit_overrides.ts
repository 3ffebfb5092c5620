import * as z from 'zod';
import { Problem } from '../problem.ts';
import { most } from './bounds.ts';
import { nullableText, strings } from './fields.ts';
import {
  type Edit,
  editEntries,
  editIDs,
  keptBeside,
  requireAsMade,
  requireFew,
} from './overrides.ts';
import { knownUnit, placedTwice } from './placements.ts';

/** Ids of units. */
const unitIDs = strings.max(most.ids);
const idLists = { passingIDs: unitIDs, failingIDs: unitIDs };

/** Units that pass or fail whatever else is said (completions, section 4). */
export const unitOverridesResponse = z
  .object({
    passingUserIDs: unitIDs,
    failingUserIDs: unitIDs,
    environmentOverrides: z
      .array(
        z
          .object({ environment: nullableText, unitID: z.string().min(1), ...idLists })
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
          environment: nullableText
            .transform((environment) => environment || null)
            .optional()
            .meta({
              description:
                'Null or empty: no environment in particular. Absent: likewise, and any in a removal.',
            }),
          unitID: z.string().min(1),
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
  given.map((entry) => ({ ...entry, environment: entry.environment ?? null }));

/** The entries that a removal means: without an environment, those of any, all ids of one unit type at once. */
function anyEnvironment(entries: Entry[], given: GivenEntries): Entry[] {
  const [byUnit, givenByUnit] = [
    Map.groupBy(entries, ({ unitID }) => unitID),
    Map.groupBy(
      given.filter(({ environment }) => environment === undefined),
      ({ unitID }) => unitID,
    ),
  ];
  const inAny = [...givenByUnit].flatMap(([unitID, alike]) => {
    const passingIDs = alike.flatMap((entry) => entry.passingIDs);
    const failingIDs = alike.flatMap((entry) => entry.failingIDs);
    return (byUnit.get(unitID) ?? []).map((entry) => ({ ...entry, passingIDs, failingIDs }));
  });
  return [...inAny, ...settled(given.filter(({ environment }) => environment !== undefined))];
}

function editEnvironments(edit: Edit, old: Entry[], given: GivenEntries | undefined): Entry[] {
  if (!given) return old;
  const entries = edit === 'remove' ? anyEnvironment(old, given) : settled(given);
  return editEntries(edit, old, entries, ['environment', 'unitID'], {
    get: ({ passingIDs, failingIDs }) => [passingIDs, failingIDs],
    set: (entry, [passingIDs = [], failingIDs = []]) => ({ ...entry, passingIDs, failingIDs }),
  });
}

/** No overrides. */
export const noUnitOverrides = (): UnitOverrides => ({
  passingUserIDs: [],
  failingUserIDs: [],
  environmentOverrides: [],
});

/** An entity with its overrides replaced, added to or reduced; nothing given to remove removes all. */
export function editUnitOverrides<E extends { overrides: UnitOverrides }>(
  entity: E,
  edit: Edit,
  body: Given,
): E {
  const { overrides: old } = entity;
  const given = Object.keys(body).length === 0 && edit === 'remove' ? old : body;
  const { passingUserIDs: passing, failingUserIDs: failing, environmentOverrides: others } = given;
  if (edit !== 'remove') requireOneSide(keptBeside(edit, old, given), given);
  const overrides: UnitOverrides = {
    passingUserIDs: editIDs(edit, old.passingUserIDs, passing),
    failingUserIDs: editIDs(edit, old.failingUserIDs, failing),
    environmentOverrides: editEnvironments(edit, old.environmentOverrides, others),
  };
  requireFew(overrides);
  return { ...entity, overrides };
}

/** 400 for overrides from elsewhere that have an id both pass and fail, or that no body leads to. */
export function requireSoundUnitOverrides({ overrides }: { overrides: UnitOverrides }): void {
  const body = unitOverridesRequest.parse(overrides);
  const made = editUnitOverrides({ overrides: noUnitOverrides() }, 'replace', body);
  requireAsMade(overrides, made.overrides);
}
