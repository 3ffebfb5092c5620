import * as z from 'zod';
import { most } from './bounds.ts';
import { word } from './fields.ts';

export const metricReference = z
  .object({
    name: word,
    type: z.string().min(1),
    direction: z.enum(['increase', 'decrease']).optional(),
    hypothesizedValue: z.number().optional(),
  })
  .meta({ id: 'MetricReference' });

export const metricReferences = z.array(metricReference).max(most.metrics);

export const metricName = metricReference
  .pick({ name: true, type: true })
  .meta({ id: 'MetricName' });
