import { describe } from '../../platform/openapi/words/describe.ts';
import { usedNameWords } from '../../platform/resource/name_words.ts';
import { tagCreate, tagPatch, tagResponse, usedTag } from './schema.ts';

describe([tagResponse, usedTag, tagCreate, tagPatch], {
  id: 'The ID, equal to the name.',
  name: 'The name, equal to the ID.',
  isCore: 'Whether it marks the most important entities.',
  uses: usedNameWords.uses,
});

describe(usedTag, usedNameWords.schema);
