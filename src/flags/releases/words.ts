import { describe, describeRoutes } from '../../platform/openapi/words/describe.ts';
import type { releasePipelineTriggerRoutes } from './routes.ts';
import { abortResponse, action, edit, triggerCreate, triggerResponse } from './schema.ts';

const release = {
  gateID: 'The gate that is released, or empty.',
  dynamicConfigID: 'The dynamic config that is released, or empty.',
  configSnapshotID:
    'Kind, id and version of the released entity before the release: `gate:checkout:3`.',
  status: 'The status of the release.',
  currentPhaseEndTime:
    'Epoch milliseconds. For a paused phase, its scheduled end when it was paused; for a phase that waits for review, its end if it had begun immediately; for a finished release, its end.',
  actions: 'The actions, in order.',
  phases: 'The phases of the pipeline when the release started.',
};

describe(triggerResponse, release);

describe(abortResponse, {
  ...release,
  takenBack: [
    'The rollback of the gate or config.',
    {
      id: 'The ID of the gate or config.',
      changes: 'The properties that were reset to their values before the release.',
      edits: 'Changes of the rules since the start that no release made.',
    },
  ],
});

describe(action, {
  type: 'The type of action.',
  timeMs: 'The time, in epoch milliseconds.',
  reason: 'Why a phase could not begin, if the release paused automatically.',
});

describe(edit, { version: 'The version that the change created.' });

describe(triggerCreate, {
  gateID: 'The released gate.',
  dynamicConfigID: 'The released dynamic config.',
});

describeRoutes<typeof releasePipelineTriggerRoutes>('release_pipeline_triggers', {
  parameters: {
    'GET /': {
      gateID: 'Only releases of this gate.',
      dynamicConfigID: 'Only releases of this dynamic config.',
    },
  },
  operations: {
    'POST /':
      'The first phase begins at once, or waits for its review. 409 during another release of the entity.',
    'PUT /:id/pause':
      '`phaseID` must be the current phase, 409 otherwise. The remaining wait is kept.',
    'PUT /:id/unpause':
      '`phaseID` must be the current phase of a paused release, 409 otherwise. The remaining wait continues.',
    'PUT /:id/skip':
      '`phaseID` must be the current phase, 409 otherwise. After the last phase the release is complete.',
    'PUT /:id/approve': '`phaseID` must be the waiting phase, 409 otherwise.',
    'PUT /:id/rollout': 'Completes the release; skips the phases in between.',
    'PUT /:id/abort': 'Returns the rollback, and the manual edits since the start.',
    'DELETE /:id': 'The release must have ended: 409 otherwise.',
  },
});
