import { describe } from '../../platform/openapi/words/describe.ts';
import { usedNameWords } from '../../platform/resource/name_words.ts';
import { targetApp } from './schema.ts';

describe([targetApp.response, targetApp.used, targetApp.create, targetApp.patch], {
  id: 'The ID, equal to the name.',
  name: 'The name, equal to the ID.',
  uses: usedNameWords.uses,
});

describe(targetApp.used, usedNameWords.schema);
