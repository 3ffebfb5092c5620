import type { Words } from '../../platform/openapi/words/words.ts';
import type { companyPatch, companyRead, companyResponse } from './schema.ts';

export const words: Words<{
  schemas: {
    Company: typeof companyResponse | typeof companyRead | typeof companyPatch;
  };
}> = {
  schemas: {
    Company: {
      id: 'The ID of this deployment, created with its database.',
      name: 'The name of this deployment.',
      strict:
        'Whether entities may use only registered tags, unit ID types, target apps, teams and environments.',
    },
  },
};
