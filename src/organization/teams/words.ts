import type { Words } from '../../platform/openapi/words/words.ts';
import type { team } from './schema.ts';

export const words: Words<{
  schemas: {
    Team: (typeof team)['response'] | (typeof team)['create'] | (typeof team)['patch'];
  };
}> = {
  schemas: {
    Team: {
      id: 'The ID, equal to the name.',
      name: 'The name, equal to the ID.',
    },
  },
};
