import type { Entity } from '../store/core/entity.ts';
import type { Kind } from '../store/core/kind.ts';
import { assignmentSources } from './assignment_sources/table.ts';
import { autotunes } from './autotunes/table.ts';
import { companies } from './company/table.ts';
import { dynamicConfigs } from './dynamic_configs/table.ts';
import { environments } from './environments/table.ts';
import { experiments } from './experiments/table.ts';
import { gates } from './gates/table.ts';
import { holdouts } from './holdouts/table.ts';
import { ingestionSources } from './ingestion/table.ts';
import { keys } from './keys/table.ts';
import { layers } from './layers/table.ts';
import { metrics } from './metrics/table.ts';
import { paramStores } from './param_stores/table.ts';
import { prompts } from './prompts/table.ts';
import { triggers } from './release_pipeline_triggers/table.ts';
import { pipelines } from './release_pipelines/table.ts';
import { segments } from './segments/table.ts';
import { tags } from './tags/table.ts';
import { targetApps } from './target_apps/table.ts';
import { teams } from './teams/table.ts';
import { unitIdTypes } from './unit_id_types/table.ts';
import { users } from './users/table.ts';
import { webhooks } from './webhooks/table.ts';
import { connections } from './wh_connections/table.ts';

export const kinds: readonly Kind<Entity>[] = [
  assignmentSources,
  autotunes,
  companies,
  connections,
  dynamicConfigs,
  environments,
  experiments,
  gates,
  holdouts,
  ingestionSources,
  keys,
  layers,
  metrics,
  paramStores,
  pipelines,
  prompts,
  segments,
  tags,
  targetApps,
  teams,
  triggers,
  unitIdTypes,
  users,
  webhooks,
];
