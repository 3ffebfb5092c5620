import { describe } from '../../platform/openapi/words/describe.ts';
import {
  assignmentSourceCreate,
  assignmentSourcePatch,
  assignmentSourceResponse,
  idTypeMapping,
} from './schema.ts';

describe([assignmentSourceResponse, assignmentSourceCreate, assignmentSourcePatch], {
  name: 'The name, equal to the ID.',
  sql: 'The query whose rows are assignments.',
  timestampColumn: 'The column of the time.',
  groupIDColumn: 'The column of the group.',
  experimentIDColumn: 'The column of the experiment.',
  idTypeMapping: 'The columns of the unit IDs.',
});

describe(idTypeMapping.element, {
  serviceUnitID: 'The ID type.',
  column: 'The column of its ids.',
});
