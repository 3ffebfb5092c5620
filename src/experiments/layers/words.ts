import { describe, describeRoutes } from '../../platform/openapi/words/describe.ts';
import type { layerRoutes } from './routes.ts';
import {
  conditionalOverride,
  layerCreate,
  layerPatch,
  layerResponse,
  overridesRemoval,
  overridesRequest,
  parameter,
} from './schema.ts';

describe(conditionalOverride, {
  type: 'Whether units must pass a gate or a segment.',
  name: 'The ID of the gate or segment.',
});

describe([layerResponse, layerCreate, layerPatch], {
  parameters: 'The parameters that its experiments may set, with defaults.',
});

describe(parameter, {
  name: 'The name of the parameter.',
  type: 'The type of its values.',
  defaultValue: 'The value without an experiment.',
});

describe(overridesRequest, {
  idOverrides: { idType: 'If missing or empty, the id type of the experiment.' },
});

describe(
  overridesRemoval,
  'A missing id type or environment matches any; an empty environment matches overrides for all environments.',
);

describeRoutes<typeof layerRoutes>('layers', {
  operations: {
    'GET /:id/experiments': 'Newest first; a layer with experiments cannot be deleted.',
  },
});
