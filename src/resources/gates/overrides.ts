import type * as z from 'zod';
import { Problem } from '../../problem.ts';
import { type Edit, editEntries, editIDs } from '../../shared/overrides.ts';
import type { Gate, overridesRequest } from './schema.ts';

/** 400 where an id would both pass and fail. */
function refuseBothSides(passing: string[], failing: string[], property: string): void {
  const both = failing.filter((unit) => passing.includes(unit));
  if (both.length > 0)
    throw Problem.property(
      property,
      `names ${both.join(', ')}, which also passes; an id stands on one side`,
    );
}

/** A gate with its overrides replaced, added to or reduced; nothing given to remove removes all. */
export function editGateOverrides(
  gate: Gate,
  edit: Edit,
  body: z.infer<typeof overridesRequest>,
): Gate {
  const given = Object.keys(body).length === 0 && edit === 'remove' ? gate.overrides : body;
  const { overrides: old } = gate;
  const passingUserIDs = given.passingUserIDs
    ? editIDs(edit, old.passingUserIDs, given.passingUserIDs)
    : old.passingUserIDs;
  const failingUserIDs = given.failingUserIDs
    ? editIDs(edit, old.failingUserIDs, given.failingUserIDs)
    : old.failingUserIDs;
  const environmentOverrides = given.environmentOverrides
    ? editEntries(
        edit,
        old.environmentOverrides,
        given.environmentOverrides,
        ['environment', 'unitID'],
        {
          get: ({ passingIDs, failingIDs }) => [passingIDs, failingIDs],
          set: (entry, [passingIDs = [], failingIDs = []]) => ({
            ...entry,
            passingIDs,
            failingIDs,
          }),
        },
      )
    : old.environmentOverrides;
  refuseBothSides(passingUserIDs, failingUserIDs, 'failingUserIDs');
  environmentOverrides.forEach(({ passingIDs, failingIDs }, index) => {
    refuseBothSides(passingIDs, failingIDs, `environmentOverrides.${index}.failingIDs`);
  });
  return { ...gate, overrides: { passingUserIDs, failingUserIDs, environmentOverrides } };
}
