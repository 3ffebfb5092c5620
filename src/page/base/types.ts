import type * as z from 'zod';
import type { metricReference } from '../../data/metrics/metric_names.ts';
import type { metricResponse } from '../../data/metrics/schema.ts';
import type { assignmentSourceResponse } from '../../experiments/assignment_sources/schema.ts';
import type { autotuneResponse } from '../../experiments/autotunes/schema.ts';
import type { overridesResponse as experimentOverrides } from '../../experiments/experiments/schema/overrides.ts';
import type { experimentResponse } from '../../experiments/experiments/schema.ts';
import type { holdoutResponse } from '../../experiments/holdouts/schema.ts';
import type {
  overridesResponse as layerOverrides,
  layerResponse,
} from '../../experiments/layers/schema.ts';
import type { dynamicConfigResponse } from '../../flags/dynamic_configs/schema.ts';
import type { gateResponse } from '../../flags/gates/schema.ts';
import type { storeResponse } from '../../flags/param_stores/schema.ts';
import type { pipelineResponse } from '../../flags/pipelines/schema.ts';
import type { promptResponse } from '../../flags/prompts/schema.ts';
import type { triggerResponse } from '../../flags/releases/schema.ts';
import type { condition } from '../../flags/rules/conditions.ts';
import type { rule } from '../../flags/rules/rules.ts';
import type { unitOverridesResponse as unitOverrides } from '../../flags/rules/unit_overrides.ts';
import type { segmentResponse } from '../../flags/segments/schema.ts';
import type { companyResponse } from '../../organization/company/schema.ts';
import type { environmentsResponse } from '../../organization/environments/schema.ts';
import type { keyResponse } from '../../organization/keys/schema.ts';
import type { userResponse } from '../../organization/users/schema.ts';
import type { KeyScope } from '../../platform/env.ts';
import type { revisionResponse } from '../../platform/operations/history.ts';
import type { webhookResponse } from '../../project/webhooks/schema.ts';
import type { experimentBaseline, metricPreview } from '../../results/power/preview_schema.ts';

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
export type DecisionRule = Experiment['decisionRule'][number];
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
export type User = z.infer<typeof userResponse> & WithUses;
export type Environments = Omit<z.infer<typeof environmentsResponse>, 'environments'> & {
  id: string;
  environments: (Omit<Environment, 'id'> & Partial<Pick<Environment, 'id'>>)[];
};

export interface WithUses {
  uses: number;
}

export interface Session {
  id: string;
  name: string;
  scopes: KeyScope[];
}
