import * as z from 'zod';
import { word } from '../../base/fields.ts';
import { limits } from '../../base/limits.ts';

export const metricReference = z
  .object({
    name: word,
    type: z.string().min(1),
    direction: z.enum(['increase', 'decrease']).optional(),
    hypothesizedValue: z.number().optional(),
  })
  .meta({ id: 'MetricReference' });

export const metricReferences = z.array(metricReference).max(limits.metrics);

export const metricName = metricReference
  .pick({ name: true, type: true })
  .meta({ id: 'MetricName' });
