import * as z from 'zod';
import { nullableText, time } from '../../base/fields.ts';
import { day } from '../../base/time_fields.ts';
import { healthStatus } from '../../experiments/starts/health.ts';
import { examples } from './examples.ts';
import { reasons, result, seriesViews } from './schema.ts';

const warnings = z.array(z.string());

const loadedDay = day.nullable();

export const pulse = z
  .object({
    ds: loadedDay,
    loadedTime: time.nullable(),
    preliminary: z.boolean(),
    primaryMetrics: z.array(result),
    secondaryMetrics: z.array(result),
    otherMetrics: z.array(result),
    warnings,
  })
  .meta({ id: 'Pulse' });

export const metricResult = z
  .object({
    ds: loadedDay,
    heterogeneityPValue: z.number().nullable(),
    dimensionResults: z.array(
      z.object({ dimension: nullableText, dimension_value: nullableText, metric: result }),
    ),
  })
  .meta({ id: 'MetricResult' });

export const series = z
  .object({
    metricID: z.string(),
    view: z.enum(seriesViews),
    points: z.array(result),
    reason: z.enum(reasons).nullable(),
    reasonDetail: nullableText,
    warnings,
  })
  .meta({ id: 'Series' });

export const spark = z
  .object({
    metricID: z.string(),
    points: z.array(z.object({ ds: day, percentChange: z.number().nullable() })),
  })
  .meta({ id: 'Spark', examples: [examples.spark] });

export const summary = z
  .object({
    id: z.string(),
    ds: loadedDay,
    controlGroupID: z.string(),
    testGroupID: nullableText,
    metric: result.nullable(),
    healthCheckStatus: healthStatus,
  })
  .meta({ id: 'PulseSummary' });

export const groupExposures = z
  .object({
    groupID: z.string(),
    groupName: z.string(),
    dimension: z.string().optional(),
    dimension_value: z.string().optional(),
    results: z.array(z.object({ date: day, exposures: z.int() })),
  })
  .meta({ id: 'GroupExposures', examples: [examples.groupExposures] });

const number = z.number().nullable();
const groupUnits = z.array(z.object({ groupID: z.string(), units: z.int() }));

export const health = z
  .object({
    healthCheckStatus: healthStatus,
    healthChecks: z.array(
      z.object({ name: z.string(), status: healthStatus, description: z.string() }),
    ),
    exposures: z.object({
      units: z.int(),
      perDay: number,
      lastTime: time.nullable(),
    }),
    balance: z.object({
      pValue: number,
      alwaysValidPValue: number,
      groups: z.array(
        z.object({
          groupID: z.string(),
          groupName: z.string(),
          units: z.int(),
          expectedShare: number,
          observedShare: number,
        }),
      ),
      days: z.array(z.object({ ds: day, groups: groupUnits })),
      dimensions: z.array(
        z.object({
          dimension: z.string(),
          dimension_value: z.string(),
          pValue: number,
          groups: groupUnits,
        }),
      ),
    }),
    crossovers: z.object({ units: z.int(), share: number }),
    metrics: z.array(
      z.object({
        metricID: z.string(),
        metricName: z.string(),
        upTo: time.nullable(),
        lateEvents: z.int().nullable(),
        problem: nullableText,
      }),
    ),
  })
  .meta({ id: 'ExperimentHealth', examples: [examples.health] });

export const lifts = z
  .object({
    ds: loadedDay,
    startTime: time.nullable(),
    monitoringMetrics: z.array(result),
  })
  .meta({ id: 'Lifts' });

export const table = z.string().meta({
  id: 'CSV',
  examples: ['unitID,group,firstTime\r\n'],
});
