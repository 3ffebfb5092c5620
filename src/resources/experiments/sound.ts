import { fulfils } from '../../evaluation/buckets.ts';
import { isDrawnElsewhere } from '../../evaluation/compile/served.ts';
import { Problem } from '../../problem.ts';
import type { Draft } from '../../store/core/transaction.ts';
import { moves } from './lifecycle.ts';
import { isDecided } from './locks.ts';
import type { Experiment } from './schema.ts';

/**
 * Checks cross-field rules and returns the experiment.
 * @throws Problem 400 naming the field
 */
export function sound<E extends Draft<Experiment>>(experiment: E): E {
  const { groups, controlGroupID, launchedGroupID, defaultRollupWindow: window } = experiment;
  const groupIDs = new Set(groups.map(({ id }) => id));
  const isGroup = (id: string) => groupIDs.has(id);
  if (!isGroup(controlGroupID))
    throw Problem.property('controlGroupID', 'must be the id of a group of this experiment');
  if (launchedGroupID !== null && !isGroup(launchedGroupID))
    throw Problem.property('launchedGroupID', 'must be the id of a group of this experiment');
  if (groups.every(({ disabled }) => disabled))
    throw Problem.property('groups', 'must have one that is enabled');
  if (!isDrawnElsewhere(experiment) && ![-1, 1, 7].includes(window ?? -1))
    throw Problem.property('defaultRollupWindow', 'must be one of -1, 1, 7 for a cloud experiment');
  const { overrides, userIDOverrides } = experiment.overrides;
  const strayed = [...overrides, ...userIDOverrides].find(({ groupID }) => !isGroup(groupID));
  if (strayed)
    throw Problem.property(
      'groups',
      `must keep ${strayed.groupID}, which overrides of this experiment name`,
    );
  return experiment;
}

/** Whether the buckets are those that a start would allocate. */
const hasItsBuckets = ({ allocatedBuckets: own, status, ...wish }: Experiment) =>
  own === undefined || (status === 'active' && fulfils(wish, own));

/** @throws Problem 400 for an imported experiment in a state that no change leads to */
export function requireExperimentReached(experiment: Experiment): void {
  const { status, archivedFrom, launchedGroupID, scheduledStartTime } = sound(experiment);
  const isArchivable = archivedFrom !== null && moves.archive.from.includes(archivedFrom);
  if (status === 'archived' ? !isArchivable : archivedFrom !== null)
    throw Problem.property('archivedFrom', 'must be what an archived experiment was, or else null');
  if (isDecided(experiment) && launchedGroupID === null)
    throw Problem.property('launchedGroupID', 'must be the group that it was decided for');
  if (!isDecided(experiment) && launchedGroupID !== null)
    throw Problem.property('launchedGroupID', 'must be null for all that is not decided');
  if (status !== 'setup' && scheduledStartTime !== null)
    throw Problem.property('scheduledStartTime', 'must be null for all that is not in setup');
  if (!hasItsBuckets(experiment))
    throw Problem.property(
      'allocatedBuckets',
      'must be those of an active one, as its allocation says',
    );
}
