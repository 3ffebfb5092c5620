import { Problem } from '../../problem.ts';
import { refused, switchable } from './lifecycle.ts';
import type { Experiment } from './schema.ts';

/**
 * Switches groups on or off, also while the experiment runs. Units of a disabled group get the defaults.
 * @throws Problem 400 for an unknown group, 409 if no group would be left, or in another status
 */
export function switchGroups(
  experiment: Experiment,
  groupIDs: readonly string[],
  disabled: boolean,
): Experiment {
  const { status, groups } = experiment;
  if (!switchable.includes(status)) throw refused(status, 'have groups enabled or disabled');
  const known = new Set(groups.map(({ id }) => id));
  const stray = groupIDs.findIndex((id) => !known.has(id));
  if (stray >= 0)
    throw Problem.property(`groupIDs.${stray}`, 'must be the id of a group of this experiment');
  const wanted = new Set(groupIDs);
  const switched = groups.map((group) => (wanted.has(group.id) ? { ...group, disabled } : group));
  if (switched.every((group) => group.disabled))
    throw new Problem('transition', 'A group must stay enabled; stop the experiment instead.');
  return { ...experiment, groups: switched };
}
