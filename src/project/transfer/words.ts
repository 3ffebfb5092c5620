import { describe, describeRoutes } from '../../platform/openapi/words/describe.ts';
import type { exportRoutes, importRoutes } from './routes.ts';
import { end, exported, importReport, importSchemas, refusal } from './schema.ts';

const { body, line, revision } = importSchemas([]);

describe(end, { entities: 'The number of entities.', revisions: 'The number of revisions.' });

describe(exported, 'JSON lines, each an `ExportLine`.');

describe(revision, { note: 'The reason for the change.' });

describe(line, {
  entity: 'The entity itself.',
  revision: 'A revision.',
  end: 'The last line: the totals.',
});

describeRoutes<typeof exportRoutes>('export', {
  parameters: { 'GET /': { history: 'Include the history.' } },
  operations: {
    'GET /':
      'One line per entity, kind by kind, then `end`. Without secrets; `history` adds the history.',
  },
});

describe(body, [
  'The lines of an export, an unchanged response of a list operation, or several responses as `lines`. With Content-Type: application/x-ndjson each line of the body is one of `lines`.',
  {
    lines: [
      'Lines of an export, or responses of lists.',
      { kind: 'The kind of `data`, if no link indicates it.' },
    ],
    kind: 'The kind of `data`, if no link indicates it.',
  },
]);

describe(refusal, {
  place: 'The position in the body: `lines.3.data.5`.',
  id: 'The ID of the refused entity.',
  message: 'The reason.',
});

describe(importReport, {
  stored: 'The number of stored entities.',
  unchanged: 'The number of identical existing entities.',
  refused: 'Each refused entity, with the reason.',
  skipped:
    'The number of entities not stored because another one in their group of 1,000 was refused.',
  ignored: 'Unknown, ignored properties.',
});

describeRoutes<typeof importRoutes>('import', {
  operations: {
    'POST /':
      'Accepts unchanged lines of an export and responses of lists. IDs are kept, and entities may be in any order. Each thousand is stored in full or not at all; the report lists refused entities.',
  },
});
