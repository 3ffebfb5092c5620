import { recordOf } from '../../base/value_types.ts';
import type { Experiment } from './schema.ts';

/** Returns the status before archiving by the listed times; an abandoned experiment counts as stopped. */
export function listedExperiment(record: object): Partial<Experiment> {
  const { status, startTime, endTime, decisionTime, launchedGroupID } = recordOf(record);
  if (status === 'decision_made') return {};
  const undecided = { launchedGroupID: null };
  if (status !== 'archived') return undecided;
  if (decisionTime && launchedGroupID) return { archivedFrom: 'decision_made' };
  if (endTime) return { ...undecided, archivedFrom: 'experiment_stopped' };
  return { ...undecided, archivedFrom: startTime ? 'assignment_stopped' : 'setup' };
}
