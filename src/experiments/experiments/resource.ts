import { recordOf } from '../../base/value_types.ts';
import { creation } from '../../platform/resource/portable.ts';
import type { Resource } from '../../platform/resource/resource.ts';
import { requireReachableExperiment } from './checks/validate.ts';
import { newExperiment } from './experiment.ts';
import { type AboveExperiments, experimentRoutes } from './routes.ts';
import { type Experiment, experimentCreate, storedExperiment } from './schema.ts';
import { experiments } from './table.ts';

/** Returns the status before archiving by the listed times; an abandoned experiment counts as stopped. */
function listedExperiment(record: object): Partial<Experiment> {
  const { status, startTime, endTime, decisionTime, launchedGroupID } = recordOf(record);
  if (status === 'decision_made') return {};
  const undecided = { launchedGroupID: null };
  if (status !== 'archived') return undecided;
  if (decisionTime && launchedGroupID) return { archivedFrom: 'decision_made' };
  if (endTime) return { ...undecided, archivedFrom: 'experiment_stopped' };
  return { ...undecided, archivedFrom: startTime ? 'assignment_stopped' : 'setup' };
}

/** Returns the entry of experiments. */
export const experimentResource = (above: AboveExperiments) =>
  ({
    path: 'experiments',
    kind: experiments,
    routes: experimentRoutes(above),
    transfer: {
      stage: 'experiments',
      stored: storedExperiment,
      creation: creation(experimentCreate, newExperiment),
      fromList: listedExperiment,
      requireReached: requireReachableExperiment,
    },
  }) satisfies Resource;
