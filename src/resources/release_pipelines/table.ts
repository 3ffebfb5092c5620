import { ruleReferences } from '../../shared/rules.ts';
import { collection } from '../../store/collection.ts';
import { entityTable } from '../../store/columns.ts';
import { labels, type Reference } from '../../store/naming.ts';
import type { Phase, ReleasePipeline } from './schema.ts';

export const pipelineTable = entityTable('release_pipelines', {});

/** The entities that the rules of phases name in their conditions. */
export const phaseReferences = (phases: Phase[]): Reference[] =>
  phases.flatMap(({ rules }, index) => ruleReferences(rules, `phases.${index}.rules`));

export const pipelines = collection<ReleasePipeline>({
  kind: 'release_pipeline',
  title: 'Release pipeline',
  table: pipelineTable,
  references: (pipeline) => [...labels(pipeline), ...phaseReferences(pipeline.phases)],
});
