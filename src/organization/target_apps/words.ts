import type { Words } from '../../platform/openapi/words/words.ts';
import type { targetApp } from './schema.ts';

export const words: Words<{
  schemas: {
    TargetApp:
      | (typeof targetApp)['response']
      | (typeof targetApp)['create']
      | (typeof targetApp)['patch'];
  };
}> = {
  schemas: {
    TargetApp: {
      id: 'The ID, equal to the name.',
      name: 'The name, equal to the ID.',
    },
  },
};
