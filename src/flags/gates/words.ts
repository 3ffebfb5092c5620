import type { PropertySchema, Words } from '../../platform/openapi/words/words.ts';
import type { gateRoutes } from './routes.ts';
import type { gateArchive, gateCreate, gatePatch, gateResponse } from './schema.ts';

export const words: Words<{
  routes: typeof gateRoutes;
  schemas: {
    Gate: typeof gateResponse | typeof gateCreate | typeof gatePatch;
    'Gate.reviewSettings':
      | PropertySchema<typeof gateResponse, 'reviewSettings'>
      | PropertySchema<typeof gateCreate, 'reviewSettings'>
      | PropertySchema<typeof gatePatch, 'reviewSettings'>;
    GateArchive: typeof gateArchive;
  };
}> = {
  path: 'gates',
  schemas: {
    Gate: {
      status: 'In Progress: rules decide; Launched: all pass; Disabled, Archived: none pass.',
      checksPerHour: 'Checks in the last hour, delayed by some minutes.',
      type: 'The planned lifetime.',
      typeReason: 'Why the gate is stale; NONE if it is not.',
      reviewSettings: 'Review of changes; no effect if reviews are required anyway.',
      measureMetricLifts: 'Whether exposures are recorded to measure its effect.',
    },
    'Gate.reviewSettings': {
      allowedReviewers: 'The allowed reviewers.',
    },
    GateArchive: {
      forceArchive: 'Whether to archive it despite references.',
      archiveReason: 'The reason for archiving.',
    },
  },
  parameters: {
    'GET /': {
      stale: 'Stale gates: those with a `typeReason` other than NONE.',
      holdoutID: 'Gates that are in this holdout.',
    },
  },
};
