import * as z from 'zod';
import { distinctNames, word } from '../../../base/fields.ts';
import { limits } from '../../../base/limits.ts';

const metricID = word;

const percent = z.number().max(1000);

export const decisionCondition = z
  .union(
    [
      z.strictObject({
        metricID,
        better: z.literal(true),
      }),
      z.strictObject({
        metricID,
        notWorseThan: percent.min(0),
      }),
    ],
    'must have a metricID, and either better: true or notWorseThan from 0 to 1000',
  )
  .meta({ id: 'DecisionCondition' });

export const smallestChange = z
  .object({
    metricID,
    percent: percent.gt(0),
  })
  .meta({ id: 'SmallestChange' });

/** The plan of a decision. Lists, because errors and history name an index, and metric IDs can contain dots. */
export const planSettings = {
  decisionRule: z
    .array(decisionCondition)
    .max(limits.metrics)
    .superRefine(distinctNames('metricID')),
  smallestChanges: z
    .array(smallestChange)
    .max(limits.metrics)
    .superRefine(distinctNames('metricID')),
};

export const planDefaults = { decisionRule: [], smallestChanges: [] };
