import * as z from 'zod';
import { distinctNames, word } from '../../../base/fields.ts';
import { limits } from '../../../base/limits.ts';

const metricID = word.meta({ description: 'The ID of the metric: name::type.' });

const percent = z.number().max(1000);

const condition = z
  .union(
    [
      z.strictObject({
        metricID,
        better: z.literal(true).meta({ description: 'The metric must improve significantly.' }),
      }),
      z.strictObject({
        metricID,
        notWorseThan: percent.min(0).meta({
          description: 'How much worse the metric may be at most, in percent of the control.',
        }),
      }),
    ],
    'must have a metricID, and either better: true or notWorseThan from 0 to 1000',
  )
  .meta({ id: 'DecisionCondition' });

const smallestChange = z
  .object({
    metricID,
    percent: percent.gt(0).meta({ description: 'In percent of the control, without a sign.' }),
  })
  .meta({ id: 'SmallestChange' });

/** The plan of a decision. Lists, because errors and history name an index, and metric IDs can contain dots. */
export const planSettings = {
  decisionRule: z.array(condition).max(limits.metrics).superRefine(distinctNames('metricID')),
  smallestChanges: z
    .array(smallestChange)
    .max(limits.metrics)
    .superRefine(distinctNames('metricID')),
};

export const planDefaults = { decisionRule: [], smallestChanges: [] };
