import { describe } from '../../platform/openapi/words/describe.ts';
import { companyPatch, companyRead, companyResponse } from './schema.ts';

describe([companyResponse, companyRead, companyPatch], {
  id: 'The ID of this deployment, created with its database.',
  name: 'The name of this deployment.',
  strict:
    'Whether entities may use only registered tags, unit ID types, target apps, teams and environments.',
});
