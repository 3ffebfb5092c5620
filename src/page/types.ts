import type * as z from 'zod';
import type { Scope } from '../env.ts';
import type { revisionResponse } from '../operations/history.ts';
import type { assignmentSourceResponse } from '../resources/assignment_sources/schema.ts';
import type { autotuneResponse } from '../resources/autotunes/schema.ts';
import type { companyResponse } from '../resources/company/schema.ts';
import type { dynamicConfigResponse } from '../resources/dynamic_configs/schema.ts';
import type { environmentsResponse } from '../resources/environments/schema.ts';
import type { overridesResponse as experimentOverrides } from '../resources/experiments/overrides_schema.ts';
import type { experimentResponse } from '../resources/experiments/schema.ts';
import type { gateResponse } from '../resources/gates/schema.ts';
import type { holdoutResponse } from '../resources/holdouts/schema.ts';
import type { keyResponse } from '../resources/keys/schema.ts';
import type {
  overridesResponse as layerOverrides,
  layerResponse,
} from '../resources/layers/schema.ts';
import type { metricResponse } from '../resources/metrics/schema.ts';
import type { storeResponse } from '../resources/param_stores/schema.ts';
import type { promptResponse } from '../resources/prompts/schema.ts';
import type { triggerResponse } from '../resources/release_pipeline_triggers/schema.ts';
import type { pipelineResponse } from '../resources/release_pipelines/schema.ts';
import type { segmentResponse } from '../resources/segments/schema.ts';
import type { userResponse } from '../resources/users/schema.ts';
import type { webhookResponse } from '../resources/webhooks/schema.ts';
import type { experimentBaseline, metricPreview } from '../results/preview_schema.ts';
import type { condition } from '../shared/conditions.ts';
import type { metricReference } from '../shared/metric_names.ts';
import type { rule } from '../shared/rules.ts';
import type { unitOverridesResponse as unitOverrides } from '../shared/unit_overrides.ts';

export interface Entity {
  id: string;
  name?: string;
  displayName?: string;
  description?: string;
  tags?: string[];
  version: number;
  lastModifiedTime: number;
  lastModifierName: string;
}

export type Rule = z.infer<typeof rule>;
export type Condition = z.infer<typeof condition>;
export type UnitOverrides = z.infer<typeof unitOverrides>;
export type MetricReference = z.infer<typeof metricReference>;
export type ExperimentBaseline = z.infer<typeof experimentBaseline>;
export type MetricPreview = z.infer<typeof metricPreview>;
export type Revision = z.infer<typeof revisionResponse>;

// Overrides and segment IDs are read separately. Lists do not contain them.
export type Gate = z.infer<typeof gateResponse> & { overrides: UnitOverrides };
export type DynamicConfig = z.infer<typeof dynamicConfigResponse>;
export type Experiment = z.infer<typeof experimentResponse> & {
  overrides: z.infer<typeof experimentOverrides>;
};
export type Group = Experiment['groups'][number];
export type Layer = z.infer<typeof layerResponse> & { overrides: z.infer<typeof layerOverrides> };
export type Holdout = z.infer<typeof holdoutResponse> & { overrides: UnitOverrides };
export type Segment = z.infer<typeof segmentResponse> & { ids: string[] };
export type Autotune = z.infer<typeof autotuneResponse>;
export type ParamStore = z.infer<typeof storeResponse>;
export type Prompt = z.infer<typeof promptResponse>;
export type Metric = z.infer<typeof metricResponse>;
export type ReleasePipeline = z.infer<typeof pipelineResponse>;
export type Release = z.infer<typeof triggerResponse>;
export type AssignmentSource = z.infer<typeof assignmentSourceResponse> & { id: string };
type Environment = z.infer<typeof environmentsResponse>['environments'][number];
export type Key = z.infer<typeof keyResponse>;

export type Webhook = z.infer<typeof webhookResponse>;
export type Company = z.infer<typeof companyResponse>;
export type User = z.infer<typeof userResponse> & Named;
export type Environments = Omit<z.infer<typeof environmentsResponse>, 'environments'> & {
  id: string;
  environments: (Omit<Environment, 'id'> & Partial<Pick<Environment, 'id'>>)[];
};

export interface Named {
  uses: number;
}

export interface Session {
  id: string;
  name: string;
  scopes: Scope[];
}
