import { describe, describeRoutes } from '../../platform/openapi/words/describe.ts';
import { includeArchived } from '../rules/words.ts';
import type { gateRoutes } from './routes.ts';
import { gateArchive, gateCreate, gatePatch, gateResponse } from './schema.ts';

describe([gateResponse, gateCreate, gatePatch], {
  status: 'In Progress: rules decide; Launched: all pass; Disabled, Archived: none pass.',
  checksPerHour: 'Checks in the last hour, delayed by some minutes.',
  type: 'The planned lifetime.',
  typeReason: 'Why the gate is stale; NONE if it is not.',
  reviewSettings: [
    'Review of changes; no effect if reviews are required anyway.',
    { allowedReviewers: 'The allowed reviewers.' },
  ],
  measureMetricLifts: 'Whether exposures are recorded to measure its effect.',
});

describe(gateArchive, {
  forceArchive: 'Whether to archive it despite references.',
  archiveReason: 'The reason for archiving.',
});

describeRoutes<typeof gateRoutes>('gates', {
  parameters: {
    'GET /': {
      includeArchived,
      stale: 'Stale gates: those with a `typeReason` other than NONE.',
      holdoutID: 'Gates that are in this holdout.',
    },
  },
});
