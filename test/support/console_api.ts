/** The contract as data: its 21 operations, and the fields of its resources with their types. */

/** Method and path of each operation, in the contract's order. */
export const operations: [method: string, path: string][] = [
  ['PATCH', '/console/v1/wh_connections'],
  ['POST', '/console/v1/experiments/{id}/restart_as_new'],
  ['POST', '/console/v1/layers/{id}/overrides'],
  ['GET', '/console/v1/gates/{id}/gate_references'],
  ['GET', '/console/v1/experiments/assignment_sources'],
  ['POST', '/console/v1/experiments'],
  ['GET', '/console/v1/experiments'],
  ['GET', '/console/v1/experiments/{id}'],
  ['PATCH', '/console/v1/gates/{id}'],
  ['GET', '/console/v1/prompts/{id}'],
  ['POST', '/console/v1/metrics'],
  ['POST', '/console/v1/metrics/{id}'],
  ['POST', '/console/v1/autotunes/{id}'],
  ['POST', '/console/v1/holdouts/{id}'],
  ['PUT', '/console/v1/gates/{id}/archive'],
  ['GET', '/console/v1/metrics/values'],
  ['PATCH', '/console/v1/ingestion'],
  ['POST', '/console/v1/param_stores'],
  ['GET', '/console/v1/dynamic_configs'],
  ['PUT', '/console/v1/release_pipeline_triggers/{id}/unpause'],
  ['GET', '/console/v1/events'],
];

const people = `lastModifierID:string lastModifierName:string creatorID:string creatorName:string`;
const times = `lastModifiedTime:integer createdTime:integer`;
const mails = `lastModifierEmail:string? creatorEmail:string?`;
const labels = `targetApps:array tags:array`;

/** Each resource table: a path that returns the resource, and `field:type`, with `?` for nullable fields. */
export const resources: Record<string, [path: string, fields: string]> = {
  'feature gate': [
    '/console/v1/gates',
    `id:string name:string description:string idType:string ${people} ${mails} ${times} ${labels}
     holdoutIDs:array isEnabled:boolean status:string rules:array checksPerHour:integer type:string
     typeReason:string team:string? teamID:string? reviewSettings:object measureMetricLifts:boolean
     owner:object monitoringMetrics:array releasePipelineID:string? version:integer`,
  ],
  experiment: [
    '/console/v1/experiments',
    `id:string name:string description:string idType:string ${people} ${mails} ${times} ${labels}
     holdoutIDs:array status:string experimentType:string launchedGroupID:string? startTime:integer?
     endTime:integer? decisionTime:integer? layerID:string? hypothesis:string primaryMetrics:array
     secondaryMetrics:array primaryMetricTags:array secondaryMetricTags:array groups:array
     allocation:number duration:integer targetingGateID:string defaultConfidenceInterval:string
     bonferroniCorrection:boolean decisionReason:string? healthChecks:array healthCheckStatus:string
     isStale:boolean inlineTargetingRulesJSON:string owner:object`,
  ],
  'assignment source': [
    '/console/v1/experiments/assignment_sources',
    `name:string description:string tags:array sql:string timestampColumn:string groupIDColumn:string
     experimentIDColumn:string idTypeMapping:array`,
  ],
  'dynamic config': [
    '/console/v1/dynamic_configs',
    `id:string name:string description:string idType:string ${people} ${mails} ${times} ${labels}
     holdoutIDs:array team:string isEnabled:boolean rules:array defaultValue:object
     defaultValueJson5:string schema:string schemaJson5:string version:integer`,
  ],
  prompt: [
    '/console/v1/prompts',
    `id:string description:string name:string idType:string team:string teamID:string ${people}
     ${mails} ${times} ${labels} version:integer holdoutIDs:array`,
  ],
  holdout: [
    '/console/v1/holdouts',
    `id:string name:string description:string idType:string ${people} ${mails} ${times} ${labels}
     team:string isEnabled:boolean isGlobal:boolean passPercentage:number gateIDs:array
     experimentIDs:array layerIDs:array targetingGateID:string monitoringMetrics:array`,
  ],
  autotune: [
    '/console/v1/autotunes',
    `id:string isStarted:boolean description:string lastModifierID:string lastModifierName:string
     variants:array successEvent:string successEventValue:string explorationWindow:string
     attributionWindow:string winnerThreshold:string`,
  ],
  'param store': [
    '/console/v1/param_stores',
    `id:string name:string displayName:string description:string createdTime:integer creatorID:string
     lastModifierID:string parameters:array`,
  ],
  metric: [
    '/console/v1/metrics',
    `id:string name:string directionality:string type:string description:string isPermanent:boolean
     isReadOnly:boolean isHidden:boolean isVerified:boolean tags:array creatorName:string
     creatorEmail:string? createdTime:integer owner:object lineage:object team:string unitTypes:array
     metricEvents:array`,
  ],
  'metric value': [
    '/console/v1/metrics/values',
    `value:number unitType:string numerator:number? denominator:number? metricName:string
     metricType:string`,
  ],
  'event record': [
    '/console/v1/events',
    `timestamp:string name:string source:string value:string userID:string metadata:object`,
  ],
  'ingestion source': [
    '/console/v1/ingestion',
    `dataset:string type:string column_mapping:object source_name:string query:string share:string
     schema:string table:string enabled:boolean`,
  ],
  'release pipeline trigger': [
    '/console/v1/release_pipeline_triggers',
    `id:string releasePipelineID:string actions:array creatorID:string lastModifierID:string
     lastModifierName:string createdTime:integer status:string currentPhase:string
     currentPhaseID:string currentPhaseEndTime:number description:string gateID:string
     dynamicConfigID:string configSnapshotID:string`,
  ],
};
