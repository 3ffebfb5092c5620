import type { PropertySchema, Words } from '../../platform/openapi/words/words.ts';
import type { layerRoutes } from './routes.ts';
import type {
  conditionalOverride,
  layerCreate,
  layerPatch,
  layerResponse,
  overridesRequest,
  parameter,
} from './schema.ts';

export const words: Words<{
  routes: typeof layerRoutes;
  schemas: {
    ConditionalOverride: typeof conditionalOverride;
    Layer: typeof layerResponse | typeof layerCreate | typeof layerPatch;
    LayerParameter: typeof parameter;
  };
  variants: {
    'LayerOverridesInput.idOverrides': PropertySchema<typeof overridesRequest, 'idOverrides'>;
  };
}> = {
  path: 'layers',
  schemas: {
    ConditionalOverride: {
      type: 'Whether units must pass a gate or a segment.',
      name: 'The ID of the gate or segment.',
    },
    Layer: {
      parameters: 'The parameters that its experiments may set, with defaults.',
    },
    LayerParameter: {
      name: 'The name of the parameter.',
      type: 'The type of its values.',
      defaultValue: 'The value without an experiment.',
    },
  },
  variants: {
    'LayerOverridesInput.idOverrides': {
      idType: 'If missing or empty, the id type of the experiment.',
    },
  },
  operations: {
    'GET /:id/experiments': 'Newest first; a layer with experiments cannot be deleted.',
  },
};
