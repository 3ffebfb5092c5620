import { Problem } from '../../../base/problem.ts';
import type { Experiment } from '../schema.ts';
import { invalidTransition, switchableStatuses } from './lifecycle.ts';

/** Enables or disables groups at any time. @throws Problem 400 for an unknown group, 409 for the last one. */
export function switchGroups(
  experiment: Experiment,
  groupIDs: readonly string[],
  disabled: boolean,
): Experiment {
  const { status, groups } = experiment;
  if (!switchableStatuses.includes(status))
    throw invalidTransition(status, 'have groups enabled or disabled');
  const known = new Set(groups.map(({ id }) => id));
  const unknown = groupIDs.findIndex((id) => !known.has(id));
  if (unknown >= 0)
    throw Problem.property(`groupIDs.${unknown}`, 'must be the id of a group of this experiment');
  const wanted = new Set(groupIDs);
  const switched = groups.map((group) => (wanted.has(group.id) ? { ...group, disabled } : group));
  if (switched.every((group) => group.disabled))
    throw new Problem('transition', 'A group must stay enabled; stop the experiment instead.');
  return { ...experiment, groups: switched };
}
