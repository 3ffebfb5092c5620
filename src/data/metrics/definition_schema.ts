import * as z from 'zod';
import { jsonKey, word } from '../../base/fields.ts';
import { limits } from '../../base/limits.ts';
import { report } from '../../base/report.ts';
import { criteria } from './criteria.ts';
import { metricName } from './metric_names.ts';
import { warehouseNative } from './warehouse_schema.ts';

export const metricEvent = z
  .object({
    name: word,
    type: z.enum(['count', 'count_distinct', 'value', 'metadata']),
    metadataKey: jsonKey.min(1).optional(),
    criteria,
  })
  .meta({ id: 'MetricEvent' });

export const metricEventInput = metricEvent
  .partial({ criteria: true })
  .extend({ type: metricEvent.shape.type.optional().transform((type = 'count') => type) })
  .superRefine(({ type, metadataKey }, context) => {
    if (type !== 'metadata' || metadataKey !== undefined) return;
    report(context, 'is required for the type metadata', 'metadataKey');
  })
  .meta({ id: 'MetricEventInput' });

export const funnelStep = z
  .object({
    name: word,
    type: z.enum(['event_dau', 'event_user', 'event_count', 'event_count_custom']),
  })
  .meta({ id: 'FunnelStep' });

export const definition = {
  metricComponentMetrics: z.array(metricName).max(limits.metrics),
  funnelEventList: z.array(funnelStep).max(limits.entries),
  rollupTimeWindow: z.string().min(1).optional(),
  customRollUpStart: z.number().optional(),
  customRollUpEnd: z.number().optional(),
  funnelCountDistinct: z.enum(['events', 'users']).optional(),
  warehouseNative: warehouseNative.optional(),
};
