import { assignmentSourceResource } from './resources/assignment_sources/resource.ts';
import { auditLogResource } from './resources/audit_logs/resource.ts';
import { autotuneResource } from './resources/autotunes/resource.ts';
import { companyResource } from './resources/company/resource.ts';
import { dynamicConfigResource } from './resources/dynamic_configs/resource.ts';
import { environmentResource } from './resources/environments/resource.ts';
import { eventResource } from './resources/events/resource.ts';
import { experimentResource } from './resources/experiments/resource.ts';
import { exposureResource } from './resources/exposures/resource.ts';
import { gateCheckResource } from './resources/gate_checks/resource.ts';
import { gateResource } from './resources/gates/resource.ts';
import { holdoutResource } from './resources/holdouts/resource.ts';
import { ingestionResource } from './resources/ingestion/resource.ts';
import { keyResource } from './resources/keys/resource.ts';
import { layerResource } from './resources/layers/resource.ts';
import { metricValueResource } from './resources/metric_values/resource.ts';
import { metricResource } from './resources/metrics/resource.ts';
import { paramStoreResource } from './resources/param_stores/resource.ts';
import { promptResource } from './resources/prompts/resource.ts';
import { releasePipelineTriggerResource } from './resources/release_pipeline_triggers/resource.ts';
import { releasePipelineResource } from './resources/release_pipelines/resource.ts';
import type { Resource } from './resources/resource.ts';
import { segmentResource } from './resources/segments/resource.ts';
import { tagResource } from './resources/tags/resource.ts';
import { targetAppResource } from './resources/target_apps/resource.ts';
import { teamResource } from './resources/teams/resource.ts';
import { exportResource, importResource } from './resources/transfer/resource.ts';
import { unitIdTypeResource } from './resources/unit_id_types/resource.ts';
import { userResource } from './resources/users/resource.ts';
import { webhookResource } from './resources/webhooks/resource.ts';
import { connectionResource } from './resources/wh_connections/resource.ts';

/** Every resource, in the order of the OpenAPI document; paths below another one's come before its `/:id`. */
export const registry: readonly Resource[] = [
  gateResource,
  gateCheckResource,
  dynamicConfigResource,
  assignmentSourceResource,
  experimentResource,
  layerResource,
  holdoutResource,
  promptResource,
  paramStoreResource,
  connectionResource,
  ingestionResource,
  segmentResource,
  autotuneResource,
  metricValueResource,
  metricResource,
  eventResource,
  exposureResource,
  releasePipelineResource,
  releasePipelineTriggerResource,
  companyResource,
  environmentResource,
  unitIdTypeResource,
  tagResource,
  targetAppResource,
  teamResource,
  userResource,
  keyResource,
  webhookResource,
  auditLogResource,
  exportResource,
  importResource,
];
