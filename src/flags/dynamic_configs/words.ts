import type { Words } from '../../platform/openapi/words/words.ts';
import type {
  dynamicConfigCreate,
  dynamicConfigPatch,
  dynamicConfigResponse,
  dynamicConfigUpdate,
} from './schema.ts';

export const words: Words<{
  schemas: {
    DynamicConfig:
      | typeof dynamicConfigResponse
      | typeof dynamicConfigCreate
      | typeof dynamicConfigPatch
      | typeof dynamicConfigUpdate;
  };
}> = {
  schemas: {
    DynamicConfig: {
      defaultValue: 'The value if no rule passes.',
      defaultValueJson5: 'The default value as JSON5 text with comments.',
      schema: 'The JSON Schema of all its values, as text.',
      schemaJson5: 'The schema as JSON5 text with comments.',
    },
  },
};
