import type { Words } from '../../platform/openapi/words/words.ts';
import type { unitIDType } from './schema.ts';

export const words: Words<{
  schemas: {
    UnitIDType:
      | (typeof unitIDType)['response']
      | (typeof unitIDType)['create']
      | (typeof unitIDType)['patch'];
  };
}> = {
  schemas: {
    UnitIDType: {
      id: 'The ID, equal to the name.',
      name: 'The name, equal to the ID.',
    },
  },
};
