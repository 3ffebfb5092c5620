import { describe } from '../../platform/openapi/words/describe.ts';
import { usedNameWords } from '../../platform/resource/name_words.ts';
import { team } from './schema.ts';

describe([team.response, team.used, team.create, team.patch], {
  id: 'The ID, equal to the name.',
  name: 'The name, equal to the ID.',
  uses: usedNameWords.uses,
});

describe(team.used, usedNameWords.schema);
