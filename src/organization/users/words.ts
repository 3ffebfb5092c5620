import { describe } from '../../platform/openapi/words/describe.ts';
import { usedNameWords } from '../../platform/resource/name_words.ts';
import { role, usedUser, userCreate, userPatch, userResponse } from './schema.ts';

describe(
  role,
  'The role of the user, not enforced yet. Scopes determine the permissions of a key.',
);

describe([userResponse, usedUser, userCreate, userPatch], {
  id: 'The ID, equal to the email.',
  role: "The user's role; informational.",
  uses: usedNameWords.uses,
});

describe(usedUser, usedNameWords.schema);
