import { Problem } from '../../../base/problem.ts';
import { fulfills } from '../../../engine/evaluation/buckets.ts';
import { isAssignedElsewhere } from '../../../engine/evaluation/compile/served.ts';
import type { Draft } from '../../../platform/store/core/transaction.ts';
import { moves } from '../lifecycle/lifecycle.ts';
import type { Experiment } from '../schema.ts';
import { isDecidedExperiment } from './locks.ts';

/** Checks cross-field rules and returns the experiment. @throws Problem 400 naming the field. */
export function validateExperiment<E extends Draft<Experiment>>(experiment: E): E {
  const { groups, controlGroupID, launchedGroupID, defaultRollupWindow: window } = experiment;
  const groupIDs = new Set(groups.map(({ id }) => id));
  const isGroup = (id: string) => groupIDs.has(id);
  if (!isGroup(controlGroupID))
    throw Problem.property('controlGroupID', 'must be the id of a group of this experiment');
  if (launchedGroupID !== null && !isGroup(launchedGroupID))
    throw Problem.property('launchedGroupID', 'must be the id of a group of this experiment');
  if (groups.every(({ disabled }) => disabled))
    throw Problem.property('groups', 'must contain an enabled group');
  if (!isAssignedElsewhere(experiment) && ![-1, 1, 7].includes(window ?? -1))
    throw Problem.property('defaultRollupWindow', 'must be one of -1, 1, 7 for a cloud experiment');
  const { overrides, userIDOverrides } = experiment.overrides;
  const unknown = [...overrides, ...userIDOverrides].find(({ groupID }) => !isGroup(groupID));
  if (unknown)
    throw Problem.property(
      'groups',
      `must keep ${unknown.groupID}, because overrides of this experiment use it`,
    );
  return experiment;
}

const hasValidBuckets = ({ allocatedBuckets: buckets, status, ...settings }: Experiment) =>
  buckets === undefined || (status === 'active' && fulfills(settings, buckets));

/** Refuses an imported experiment in a state that no change leads to. @throws Problem 400 naming the field. */
export function requireReachableExperiment(experiment: Experiment): void {
  const { status, archivedFrom, launchedGroupID, scheduledStartTime } =
    validateExperiment(experiment);
  const isArchivable = archivedFrom !== null && moves.archive.from.includes(archivedFrom);
  if (status === 'archived' ? !isArchivable : archivedFrom !== null)
    throw Problem.property(
      'archivedFrom',
      'must be the status before archiving, or null if not archived',
    );
  if (isDecidedExperiment(experiment) && launchedGroupID === null)
    throw Problem.property('launchedGroupID', 'must be the group of the decision');
  if (!isDecidedExperiment(experiment) && launchedGroupID !== null)
    throw Problem.property('launchedGroupID', 'must be null unless a decision was made');
  if (status !== 'setup' && scheduledStartTime !== null)
    throw Problem.property('scheduledStartTime', 'must be null unless the experiment is in setup');
  if (!hasValidBuckets(experiment))
    throw Problem.property(
      'allocatedBuckets',
      "must match the experiment's allocation, and be absent unless it is active",
    );
}
