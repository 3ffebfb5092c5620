import type { Words } from '../../platform/openapi/words/words.ts';
import type { tagCreate, tagPatch, tagResponse } from './schema.ts';

export const words: Words<{
  schemas: {
    Tag: typeof tagResponse | typeof tagCreate | typeof tagPatch;
  };
}> = {
  schemas: {
    Tag: {
      id: 'The ID, equal to the name.',
      name: 'The name, equal to the ID.',
      isCore: 'Whether it marks the most important entities.',
    },
  },
};
