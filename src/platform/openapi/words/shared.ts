import { targetAppsInput } from '../../../base/fields.ts';
import { accepted } from '../../http/envelope.ts';
import { warning } from '../../http/warnings.ts';
import { propertyChange, revisionResponse, revisionWithState } from '../../operations/history.ts';
import { maxReferrers, reference, referencesResponse } from '../../operations/references.ts';
import { describe } from './describe.ts';

describe(accepted, { accepted: 'The number of accepted items.' });

describe(
  propertyChange,
  'Lists contain `{ length, sha256 }` instead of a value of more than 4,000 characters of JSON.',
);

describe(reference, {
  id: 'The ID of the other entity.',
  field: 'The property that refers to it.',
});

describe(referencesResponse, { more: `Whether more than ${maxReferrers} refer to it.` });

const revision = {
  name: 'The name at that time; null if the entity has none.',
  note: 'The Change-Note of the request.',
};

describe(revisionWithState, revision);

describe(revisionResponse, {
  ...revision,
  id: 'The ID of the entity.',
  version: 'The version that the change created.',
});

describe(targetAppsInput.in, 'One app, several, or null for none.');

describe(warning, { message: 'The effect on it.' });
