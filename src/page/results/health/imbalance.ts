import { sumOf } from '../../../base/numbers.ts';
import type { Health } from '../frame/api_types.ts';

type GroupUnits = Health['balance']['days'][number]['groups'];

/** The two-sided standard normal quantile of p = 0.001. */
const limit = 3.29;

/** Returns the units of all groups. */
export const unitsOfGroups = (groups: GroupUnits) => sumOf(groups.map(({ units }) => units));

/** Returns the share of a group in percent; null without units. */
export function groupShare(groups: GroupUnits, groupID: string): number | null {
  const all = unitsOfGroups(groups);
  const units = groups.find((group) => group.groupID === groupID)?.units ?? 0;
  return all === 0 ? null : (units / all) * 100;
}

/** Whether a share differs from the expected one (both in percent) by more than chance: p < 0.001, normal approximation. */
function isOffShare(groups: GroupUnits, groupID: string, expected: number): boolean {
  const share = groupShare(groups, groupID);
  if (share === null) return false;
  const error = Math.sqrt((expected * (100 - expected)) / unitsOfGroups(groups));
  return Math.abs(share - expected) > limit * error;
}

/** Returns the first day on which the share of a group is off; undefined if no single day is. */
export const firstDayOff = (
  days: Health['balance']['days'],
  groupID: string,
  expected: number,
): string | undefined => days.find(({ groups }) => isOffShare(groups, groupID, expected))?.ds;

/** Returns the values of one dimension in which the share of a group is off. */
export const valuesOff = (
  { dimensions }: Health['balance'],
  dimension: string,
  groupID: string,
  expected: number,
): string[] =>
  dimensions
    .filter((one) => one.dimension === dimension && isOffShare(one.groups, groupID, expected))
    .map(({ dimension_value: value }) => value);
