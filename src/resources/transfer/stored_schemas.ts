import * as z from 'zod';
import { stamps } from '../../shared/fields.ts';
import { experimentStatuses } from '../experiments/lifecycle_schema.ts';
import { overridesResponse as experimentOverrides } from '../experiments/overrides_schema.ts';
import { storedScore } from '../experiments/quality_schema.ts';
import { rulesText } from '../experiments/rules_text.ts';
import { experimentResponse } from '../experiments/schema.ts';
import { unset } from '../experiments/settings.ts';
import { storedTrigger } from '../release_pipeline_triggers/schema.ts';
import { sectionsWithoutSecrets } from '../wh_connections/schema.ts';
import { connectionID } from '../wh_connections/table.ts';

// The stored state of kinds that may come along with less than is kept.

export const storedConnection = sectionsWithoutSecrets.extend({
  id: z.literal(connectionID),
  ...stamps,
});

/** What an experiment has only where somebody has given it. */
const optional = [...Object.keys(unset), 'manualQualityScores', 'allocatedBuckets'];

export const storedExperiment = experimentResponse
  .omit({ healthChecks: true, healthCheckStatus: true, isStale: true })
  .extend({
    overrides: experimentOverrides,
    archivedFrom: z.enum(experimentStatuses).nullable(),
    inlineTargetingRulesJSON: rulesText,
    manualQualityScores: z.array(storedScore),
    allocatedBuckets: z.array(z.int().min(0).max(999)).max(1000),
  })
  .partial(Object.assign({}, ...optional.map((property) => ({ [property]: true }))));

/** A trigger, of which an earlier export does not say what pipeline was there before. */
export const portableTrigger = storedTrigger.partial({ earlierPipelineID: true });
