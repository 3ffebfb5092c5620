import type { Words } from '../../platform/openapi/words/words.ts';
import type { exportRoutes, importRoutes } from './routes.ts';
import type { end, ImportSchemas, importReport, refusal } from './schema.ts';

export const exportWords: Words<{
  routes: typeof exportRoutes;
  schemas: { ExportEnd: typeof end; ExportLine: ImportSchemas['line'] };
}> = {
  path: 'export',
  schemas: {
    ExportEnd: {
      entities: 'The number of entities.',
      revisions: 'The number of revisions.',
    },
    ExportLine: {
      entity: 'The entity itself.',
      revision: 'A revision.',
      end: 'The last line: the totals.',
    },
  },
  parameters: { 'GET /': { history: 'Include the history.' } },
  operations: {
    'GET /':
      'One line per entity, kind by kind, then `end`. Without secrets; `history` adds the history.',
  },
};

export const importWords: Words<{
  routes: typeof importRoutes;
  schemas: {
    Import: ImportSchemas['body'];
    'Import.lines': ImportSchemas['listResponse'];
    ImportRefusal: typeof refusal;
    ImportReport: typeof importReport;
  };
}> = {
  path: 'import',
  schemas: {
    Import: {
      lines: 'Lines of an export, or responses of lists.',
      kind: 'The kind of `data`, if no link indicates it.',
    },
    'Import.lines': {
      kind: 'The kind of `data`, if no link indicates it.',
    },
    ImportRefusal: {
      place: 'The position in the body: `lines.3.data.5`.',
      id: 'The ID of the refused entity.',
      message: 'The reason.',
    },
    ImportReport: {
      stored: 'The number of stored entities.',
      unchanged: 'The number of identical existing entities.',
      refused: 'Each refused entity, with the reason.',
      skipped:
        'The number of entities not stored because another one in their group of 1,000 was refused.',
      ignored: 'Unknown, ignored properties.',
    },
  },
  operations: {
    'POST /':
      'Accepts unchanged lines of an export and responses of lists. IDs are kept, and entities may be in any order. Each thousand is stored in full or not at all; the report lists refused entities.',
  },
};
