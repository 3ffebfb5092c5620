import { creation } from '../../platform/resource/portable.ts';
import type { Resource } from '../../platform/resource/resource.ts';
import { newExperiment } from './experiment.ts';
import { listedExperiment } from './listed.ts';
import { type AboveExperiments, experimentRoutes } from './routes.ts';
import { experimentCreate, storedExperiment } from './schema.ts';
import { experiments } from './table.ts';
import { requireReachableExperiment } from './validate.ts';

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
