import * as z from 'zod';
import { jsonKey, nameSet } from '../../base/fields.ts';
import { limits } from '../../base/limits.ts';

export const explorationWindows = [
  '1hr',
  '24hr',
  '48hr',
  '168hr',
  '336hr',
  '1',
  '24',
  '48',
  '168',
  '336',
  '1hrs',
  '24hrs',
  '48hrs',
  '168hrs',
  '336hrs',
] as const;

export const attributionWindows = [
  '1hr',
  '2hr',
  '4hr',
  '24hr',
  '1hrs',
  '2hrs',
  '4hrs',
  '24hrs',
  '1',
  '2',
  '4',
  '24',
] as const;

export const winnerThresholds = ['80%', '90%', '95%', '98%', '99%'] as const;

const rate = z.number().min(0.001).max(1);

const optionalSettings = {
  explorationWindowRate: rate.optional(),
  longtermExplorationAllocation: rate.optional(),
  attributionWindowUnit: z.enum(['min', 'hour', 'day']).optional(),
  optimizationParameter: z.enum(['occurrence', 'value']).optional(),
};

export const settings = {
  description: z.string(),
  successEventValue: z.string(),
  explorationWindow: z.enum(explorationWindows).meta({ id: 'ExplorationWindow' }),
  attributionWindow: z.enum(attributionWindows).meta({ id: 'AttributionWindow' }),
  winnerThreshold: z.enum(winnerThresholds).meta({ id: 'WinnerThreshold' }),
  metadataField: jsonKey.nullable(),
  higherIsBetter: z.boolean(),
  isContextual: z.boolean(),
  metricSourceID: z.string(),
  linkedExperimentName: z.string(),
  goalRichText: z.string(),
  valueColumn: jsonKey,
  featureList: nameSet(limits.entries),
  ...optionalSettings,
};
