import * as z from 'zod';
import { displayName, stamps, stampsExample } from '../../base/fields.ts';
import { warnings } from '../../platform/http/warnings.ts';
import { listQuery } from '../../platform/operations/query.ts';

export const datasets = ['Metrics'] as const;
export const sourceTypes = [
  'redshift',
  'bigquery-v2',
  'snowflake-v2',
  'databricks',
  'azure-synapse',
  's3',
  'athena',
  'adls',
] as const;

const dataset = z.enum(datasets);
const type = z.enum(sourceTypes).meta({ id: 'IngestionType' });
const sourceName = displayName(0, 200);

export const columnMapping = z
  .object({
    unit_id: z.string(),
    id_type: z.string(),
    dateid: z.string(),
    metric_name: z.string(),
    metric_value: z.string(),
    numerator: z.string(),
    denominator: z.string(),
  })
  .partial()
  .meta({ id: 'ColumnMapping' });

const example = {
  dataset: 'Metrics',
  type: 'snowflake-v2',
  column_mapping: { unit_id: 'user_id', dateid: 'day', metric_name: 'metric' },
  source_name: 'daily_metrics',
  query: 'SELECT user_id, day, metric, value FROM metrics',
  share: '',
  schema: 'analytics',
  table: 'metrics',
  enabled: true,
};

export const sourceResponse = z
  .object({
    id: z.string(),
    dataset,
    type,
    column_mapping: columnMapping,
    source_name: z.string(),
    query: z.string(),
    share: z.string(),
    schema: z.string(),
    table: z.string(),
    enabled: z.boolean(),
    ...stamps,
  })
  .meta({
    id: 'IngestionSource',
    examples: [{ id: 'Metrics:snowflake-v2:daily_metrics', ...example, ...stampsExample }],
  });

export type IngestionSource = z.infer<typeof sourceResponse>;

const sourceInput = z.object({
  dataset,
  type,
  source_name: sourceName.optional(),
  column_mapping: columnMapping.optional(),
  query: z.string().optional(),
  share: z.string().optional(),
  schema: z.string().optional(),
  table: z.string().optional(),
  enabled: z.boolean().optional(),
});

/** A change responds with the source, without an envelope. See docs/contract/api.md#17-patch-consolev1ingestion. */
export const changedSource = sourceResponse.extend({ warnings }).meta({
  id: 'ChangedIngestionSource',
  examples: [{ id: 'Metrics:s3:a', ...example, ...stampsExample }],
});

export const sourceCreate = sourceInput.meta({ id: 'IngestionSourceCreate', examples: [example] });

export const sourcePatch = sourceInput.meta({
  id: 'IngestionSourcePatch',
  examples: [{ dataset: 'Metrics', type: 's3', source_name: 'weekly_metrics', enabled: false }],
});

export const sourceKey = z.object({ dataset, type, source_name: sourceName.optional() });

export const sourceList = listQuery.extend({ dataset: dataset.optional(), type: type.optional() });
