import { describe } from '../../platform/openapi/words/describe.ts';
import { usedNameWords } from '../../platform/resource/name_words.ts';
import { unitIDType } from './schema.ts';

describe([unitIDType.response, unitIDType.used, unitIDType.create, unitIDType.patch], {
  id: 'The ID, equal to the name.',
  name: 'The name, equal to the ID.',
  uses: usedNameWords.uses,
});

describe(unitIDType.used, usedNameWords.schema);
