import { text } from 'drizzle-orm/sqlite-core';
import type { Reference } from '../../base/naming.ts';
import { kind } from '../../model/define_kind.ts';
import { entityTable, json } from '../../platform/store/sql/columns.ts';
import { ruleReferences } from '../rules/rules.ts';
import type { ReleasePhase, ReleasePipeline } from './schema.ts';

export const pipelineTable = entityTable('release_pipelines', {
  name: text().notNull(),
  description: text().notNull(),
  tags: json<ReleasePipeline['tags']>(),
  phases: json<ReleasePipeline['phases']>(),
});

export const phaseReferences = (phases: ReleasePhase[]): Reference[] =>
  phases.flatMap(({ rules }, index) => ruleReferences(rules, `phases.${index}.rules`));

export const pipelines = kind<ReleasePipeline>({
  kind: 'release_pipeline',
  title: 'Release pipeline',
  table: pipelineTable,
  list: {
    labels: ({ tags }) => ({ tags }),
  },
  refs: {
    outgoing: ({ phases }) => phaseReferences(phases),
  },
});
