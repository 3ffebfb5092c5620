import type { Words } from '../../platform/openapi/words/words.ts';
import type { userCreate, userPatch, userResponse } from './schema.ts';

export const words: Words<{
  schemas: {
    User: typeof userResponse | typeof userCreate | typeof userPatch;
  };
}> = {
  schemas: {
    User: {
      id: 'The ID, equal to the email.',
      role: "The user's role; informational.",
    },
  },
};
