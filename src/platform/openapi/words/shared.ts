import type { accepted } from '../../http/envelope.ts';
import type { warning } from '../../http/warnings.ts';
import type { revisionResponse } from '../../operations/history.ts';
import type { reference } from '../../operations/references.ts';
import type { Words } from './words.ts';

export const words: Words<{
  schemas: {
    Accepted: typeof accepted;
    NamedBy: typeof reference;
    Revision: typeof revisionResponse;
    Warning: typeof warning;
  };
}> = {
  schemas: {
    Accepted: {
      accepted: 'The number of accepted items.',
    },
    NamedBy: {
      id: 'The ID of the other entity.',
    },
    Revision: {
      id: 'The ID of the entity.',
      version: 'The version that the change created.',
    },
    Warning: {
      message: 'The effect on it.',
    },
  },
};
