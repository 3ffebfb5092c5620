import { text } from 'drizzle-orm/sqlite-core';
import type * as z from 'zod';
import { merge } from '../../base/fields.ts';
import { kind } from '../../model/define_kind.ts';
import type { Draft } from '../../platform/store/core/transaction.ts';
import { boolean, entityTable, json } from '../../platform/store/sql/columns.ts';
import {
  datasets,
  type IngestionSource,
  type sourceKey,
  type sourcePatch,
  sourceTypes,
} from './schema.ts';

export const ingestionSourceTable = entityTable(
  'ingestion',
  {
    dataset: text({ enum: datasets }).notNull(),
    type: text({ enum: sourceTypes }).notNull(),
    column_mapping: json<IngestionSource['column_mapping']>(),
    source_name: text().notNull(),
    query: text().notNull(),
    share: text().notNull(),
    schema: text().notNull(),
    table: text().notNull(),
    enabled: boolean(),
  },
  { filters: ['dataset', 'type'] },
);

export const ingestionSources = kind<IngestionSource>({
  kind: 'ingestion_source',
  title: 'Ingestion source',
  table: ingestionSourceTable,
  list: {
    totals: [['dataset', 'type']],
  },
});

/** Returns the id of a source; dataset and type contain no colon. */
export const sourceID = ({ dataset, type, source_name = '' }: z.infer<typeof sourceKey>) =>
  `${dataset}:${type}:${source_name}`;

/** Returns a new source from a creation body. */
export const newSource = (body: z.infer<typeof sourcePatch>): Draft<IngestionSource> => ({
  column_mapping: {},
  source_name: '',
  query: '',
  share: '',
  schema: '',
  table: '',
  enabled: true,
  ...body,
  id: sourceID(body),
});

/** Returns a source after a partial update, with the mapping merged column by column. */
export function patchSource(
  source: IngestionSource,
  body: z.infer<typeof sourcePatch>,
): IngestionSource {
  const column_mapping = { ...source.column_mapping, ...body.column_mapping };
  return merge(source, { ...body, column_mapping });
}
