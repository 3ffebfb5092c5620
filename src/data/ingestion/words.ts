import { describe, describeRoutes } from '../../platform/openapi/words/describe.ts';
import type { ingestionRoutes } from './routes.ts';
import {
  changedSource,
  columnMapping,
  sourceCreate,
  sourcePatch,
  sourceResponse,
} from './schema.ts';

describe([changedSource, sourceResponse, sourceCreate, sourcePatch], {
  id: 'The ID: dataset, type and source_name.',
  dataset: 'The ingested dataset.',
  type: 'The type of warehouse.',
  column_mapping: 'The columns by field.',
  source_name: 'The name of the source.',
  query: 'The query of the ingested rows.',
  share: 'The share of the table.',
  schema: 'The schema of the table.',
  table: 'The ingested table.',
  enabled: 'Whether it is enabled.',
});

describe(columnMapping, {
  unit_id: 'The column of the unit ID.',
  id_type: 'The column of the ID type.',
  dateid: 'The column of the day.',
  metric_name: 'The column of the metric name.',
  metric_value: 'The column of the value.',
  numerator: 'The column of the numerator.',
  denominator: 'The column of the denominator.',
});

describeRoutes<typeof ingestionRoutes>('ingestion', {
  parameters: {
    'GET /': {
      dataset: 'The dataset of the source.',
    },
    'DELETE /': {
      dataset: 'The dataset of the source.',
      source_name: 'If absent, the source without a name.',
    },
  },
  operations: {
    'PATCH /':
      'Changes the source with this dataset, type and name, or creates it. Returns it without an envelope.',
    'DELETE /': 'The query names the source.',
  },
});
