import { describe, describeRoutes } from '../../platform/openapi/words/describe.ts';
import { includeArchived } from '../rules/words.ts';
import type { dynamicConfigRoutes } from './routes.ts';
import {
  dynamicConfigCreate,
  dynamicConfigPatch,
  dynamicConfigResponse,
  dynamicConfigUpdate,
} from './schema.ts';

describe([dynamicConfigResponse, dynamicConfigCreate, dynamicConfigPatch, dynamicConfigUpdate], {
  defaultValue: 'The value if no rule passes.',
  defaultValueJson5: 'The default value as JSON5 text with comments.',
  schema: 'The JSON Schema of all its values, as text.',
  schemaJson5: 'The schema as JSON5 text with comments.',
});

describeRoutes<typeof dynamicConfigRoutes>('dynamic_configs', {
  parameters: { 'GET /': { includeArchived } },
});
