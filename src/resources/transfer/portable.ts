import * as z from 'zod';
import { requireArchivedFrom } from '../../shared/archive.ts';
import { stamps } from '../../shared/fields.ts';
import { memberOf } from '../../shared/value_types.ts';
import { assignmentSourceCreate, storedAssignmentSource } from '../assignment_sources/schema.ts';
import { assignmentSources, newAssignmentSource } from '../assignment_sources/table.ts';
import { newAutotune, requireReachableAutotune } from '../autotunes/autotune.ts';
import { autotuneCreate, storedAutotune } from '../autotunes/schema.ts';
import { autotunes } from '../autotunes/table.ts';
import { newDynamicConfig } from '../dynamic_configs/dynamic_config.ts';
import {
  type DynamicConfig,
  dynamicConfigCreate,
  storedDynamicConfig,
} from '../dynamic_configs/schema.ts';
import { dynamicConfigs } from '../dynamic_configs/table.ts';
import { newExperiment } from '../experiments/experiment.ts';
import { experimentCreate, storedExperiment } from '../experiments/schema.ts';
import { experiments } from '../experiments/table.ts';
import { requireReachableExperiment } from '../experiments/validate.ts';
import { newGate } from '../gates/gate.ts';
import { type Gate, gateCreate, storedGate } from '../gates/schema.ts';
import { gates } from '../gates/table.ts';
import { holdoutCreate, storedHoldout } from '../holdouts/schema.ts';
import { holdouts, newHoldout } from '../holdouts/table.ts';
import { sourceCreate, sourceResponse } from '../ingestion/schema.ts';
import { ingestionSources, newSource } from '../ingestion/table.ts';
import { layerCreate, storedLayer } from '../layers/schema.ts';
import { layers, newLayer } from '../layers/table.ts';
import { newMetric } from '../metrics/metric.ts';
import { metricCreate, storedMetric } from '../metrics/schema.ts';
import { metrics } from '../metrics/table.ts';
import { storeCreate, storeResponse } from '../param_stores/schema.ts';
import { newStore, paramStores } from '../param_stores/table.ts';
import { promptCreate, promptResponse } from '../prompts/schema.ts';
import { newPrompt, prompts } from '../prompts/table.ts';
import { finishedRelease, requireReleaseReached } from '../release_pipeline_triggers/restoring.ts';
import { storedTrigger } from '../release_pipeline_triggers/schema.ts';
import { triggers } from '../release_pipeline_triggers/table.ts';
import { newPipeline } from '../release_pipelines/pipeline.ts';
import { pipelineCreate, pipelineResponse } from '../release_pipelines/schema.ts';
import { pipelines } from '../release_pipelines/table.ts';
import { segmentCreate, storedSegment } from '../segments/schema.ts';
import { newSegment, requireSegmentReached } from '../segments/segment.ts';
import { segments } from '../segments/table.ts';
import { sectionsWithoutPlaceholders } from '../wh_connections/connection.ts';
import { sectionsWithoutSecrets } from '../wh_connections/schema.ts';
import { connectionID, connections } from '../wh_connections/table.ts';
import { creation, listedExperiment, type Portable } from './portability.ts';
import { portableNames } from './portable_names.ts';

/** Returns the count of the listed IDs: a list leaves the IDs out, but not their count. */
function countIDs(record: object) {
  const ids = memberOf(record, 'ids');
  return { count: Array.isArray(ids) ? ids.length : 0 };
}

/** Every exported kind: all except those of the deployment, such as its name, keys and webhooks. */
export const portables: readonly Portable[] = [
  ...portableNames,
  {
    kind: connections,
    stored: sectionsWithoutSecrets.extend({ id: z.literal(connectionID), ...stamps }),
    fromList: (record) => ({ id: connectionID, ...sectionsWithoutPlaceholders(record) }),
  },
  { kind: ingestionSources, stored: sourceResponse, creation: creation(sourceCreate, newSource) },
  {
    kind: segments,
    stored: storedSegment,
    creation: creation(segmentCreate, newSegment),
    fromList: (record) => countIDs(record),
    requireReached: requireSegmentReached,
  },
  { kind: metrics, stored: storedMetric, creation: creation(metricCreate, newMetric) },
  { kind: pipelines, stored: pipelineResponse, creation: creation(pipelineCreate, newPipeline) },
  {
    kind: gates,
    stored: storedGate,
    creation: creation(gateCreate, newGate),
    requireReached: (gate: Gate) => requireArchivedFrom(gate),
  },
  {
    kind: dynamicConfigs,
    stored: storedDynamicConfig,
    creation: creation(dynamicConfigCreate, newDynamicConfig),
    requireReached: (config: DynamicConfig) => requireArchivedFrom(config),
  },
  {
    kind: assignmentSources,
    path: 'experiments/assignment_sources',
    stored: storedAssignmentSource,
    creation: creation(assignmentSourceCreate, newAssignmentSource),
  },
  { kind: layers, stored: storedLayer, creation: creation(layerCreate, newLayer) },
  {
    kind: experiments,
    stored: storedExperiment,
    creation: creation(experimentCreate, newExperiment),
    fromList: listedExperiment,
    requireReached: requireReachableExperiment,
  },
  {
    kind: autotunes,
    stored: storedAutotune,
    creation: creation(autotuneCreate, newAutotune),
    requireReached: requireReachableAutotune,
  },
  { kind: prompts, stored: promptResponse, creation: creation(promptCreate, newPrompt) },
  { kind: paramStores, stored: storeResponse, creation: creation(storeCreate, newStore) },
  { kind: holdouts, stored: storedHoldout, creation: creation(holdoutCreate, newHoldout) },
  {
    kind: triggers,
    stored: storedTrigger.partial({ earlierPipelineID: true }), // missing in older exports
    fromList: finishedRelease,
    requireReached: requireReleaseReached,
  },
];

const byKind = new Map(portables.map((portable) => [portable.kind.kind, portable]));

export const portableOf = (kind: string): Portable | undefined => byKind.get(kind);
