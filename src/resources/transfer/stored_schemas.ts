import * as z from 'zod';
import { stamps } from '../../shared/fields.ts';
import { storedTrigger } from '../release_pipeline_triggers/schema.ts';
import { sectionsWithoutSecrets } from '../wh_connections/schema.ts';
import { connectionID } from '../wh_connections/table.ts';

// The stored state of kinds that may come along with less than is kept.

export const storedConnection = sectionsWithoutSecrets.extend({
  id: z.literal(connectionID),
  ...stamps,
});

/** A trigger, of which an earlier export does not say what pipeline was there before. */
export const portableTrigger = storedTrigger.partial({ earlierPipelineID: true });
