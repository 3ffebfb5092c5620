import type { Words } from '../../platform/openapi/words/words.ts';
import type {
  assignmentSourceCreate,
  assignmentSourcePatch,
  assignmentSourceResponse,
  idTypeMapping,
} from './schema.ts';

export const words: Words<{
  schemas: {
    AssignmentSource:
      | typeof assignmentSourceResponse
      | typeof assignmentSourceCreate
      | typeof assignmentSourcePatch;
    IDTypeMapping: typeof idTypeMapping;
  };
}> = {
  schemas: {
    AssignmentSource: {
      name: 'The name, equal to the ID.',
      sql: 'The query whose rows are assignments.',
      timestampColumn: 'The column of the time.',
      groupIDColumn: 'The column of the group.',
      experimentIDColumn: 'The column of the experiment.',
      idTypeMapping: 'The columns of the unit IDs.',
    },
    IDTypeMapping: {
      serviceUnitID: 'The ID type.',
      column: 'The column of its ids.',
    },
  },
};
