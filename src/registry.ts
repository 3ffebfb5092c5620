import { connectionResource } from './data/connections/resource.ts';
import { eventResource } from './data/events/resource.ts';
import { ingestionResource } from './data/ingestion/resource.ts';
import { metricValueResource } from './data/metric_values/resource.ts';
import { metricResource } from './data/metrics/resource.ts';
import { assignmentSourceResource } from './experiments/assignment_sources/resource.ts';
import { autotuneResource } from './experiments/autotunes/resource.ts';
import { experimentResource } from './experiments/experiments/resource.ts';
import { experimentResource as experimentViews } from './experiments/experiments/view.ts';
import { exposureResource } from './experiments/exposure_imports/resource.ts';
import { joinGlobalHoldouts, joinHoldouts } from './experiments/holdouts/joining.ts';
import { holdoutResource } from './experiments/holdouts/resource.ts';
import { layerResource } from './experiments/layers/resource.ts';
import { dynamicConfigResource } from './flags/dynamic_configs/resource.ts';
import type { DynamicConfig } from './flags/dynamic_configs/schema.ts';
import { dynamicConfigs } from './flags/dynamic_configs/table.ts';
import { dynamicConfigViews } from './flags/dynamic_configs/view.ts';
import { gateCheckResource } from './flags/gate_checks/resource.ts';
import { gateResource } from './flags/gates/resource.ts';
import { gates } from './flags/gates/table.ts';
import { paramStoreResource } from './flags/param_stores/resource.ts';
import { releasePipelineResource } from './flags/pipelines/resource.ts';
import { promptResource } from './flags/prompts/resource.ts';
import { releasePipelineTriggerResource } from './flags/releases/resource.ts';
import { releasesOf } from './flags/releases/schedule.ts';
import { segmentResource } from './flags/segments/resource.ts';
import { companyResource } from './organization/company/resource.ts';
import { environmentResource } from './organization/environments/resource.ts';
import { keyResource } from './organization/keys/resource.ts';
import { tagResource } from './organization/tags/resource.ts';
import { targetAppResource } from './organization/target_apps/resource.ts';
import { teamResource } from './organization/teams/resource.ts';
import { unitIdTypeResource } from './organization/unit_id_types/resource.ts';
import { userResource } from './organization/users/resource.ts';
import type { Resource } from './platform/resource/resource.ts';
import { auditLogResource } from './project/audit_logs/resource.ts';
import { exportResource, importResource } from './project/transfer/resource.ts';
import { webhookResource } from './project/webhooks/resource.ts';

const configReleases = releasesOf<DynamicConfig>({
  property: 'dynamicConfigID',
  kind: dynamicConfigs,
});

/** Every resource, in the order of the OpenAPI document; paths below another one's come before its `/:id`. */
export const registry: readonly Resource[] = [
  gateResource({
    releases: releasesOf({ property: 'gateID', kind: gates }),
    experiments: experimentViews,
    dynamicConfigs: dynamicConfigViews(configReleases.overdue),
    joinHoldouts: joinGlobalHoldouts,
  }),
  gateCheckResource,
  dynamicConfigResource(configReleases),
  assignmentSourceResource,
  experimentResource({ joinHoldouts }),
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
