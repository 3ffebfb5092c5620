import * as z from 'zod';
import {
  description,
  displayName,
  distinctNames,
  name,
  stamps,
  stampsExample,
  strings,
  tags,
} from '../../base/fields.ts';
import { id } from '../../base/ids.ts';
import { limits } from '../../base/limits.ts';
import { dayLength } from '../../base/time.ts';
import { fewConditions, haveFewConditions, rule } from '../rules/rules.ts';

export const phaseRule = rule.omit({ id: true, baseID: true }).meta({ id: 'PhaseRule' });
export const phaseRuleInput = phaseRule
  .partial({ passPercentage: true, environments: true })
  .meta({ id: 'PhaseRuleInput' });

export const phase = z
  .object({
    id: z.string().min(1),
    name: displayName(1, 100),
    timeIntervalMs: z.int().min(0),
    requiredReview: z.boolean(),
    rules: z.array(phaseRule),
  })
  .meta({ id: 'ReleasePhase' });

/** A century in milliseconds, so that the end is still a valid date. */
const maxPhaseLength = 100 * 365 * dayLength;

export const phaseInput = phase
  .partial({ id: true, requiredReview: true })
  .extend({
    timeIntervalMs: phase.shape.timeIntervalMs.max(maxPhaseLength),
    rules: z.array(phaseRuleInput).max(limits.rules).superRefine(distinctNames('name')).optional(),
  })
  .meta({ id: 'ReleasePhaseInput' });

const phasesInput = z
  .array(phaseInput)
  .max(limits.phases)
  .superRefine(distinctNames('name'))
  .superRefine(distinctNames('id'))
  .refine((phases) => haveFewConditions(phases.flatMap(({ rules = [] }) => rules)), fewConditions);

const everyone = { conditions: [{ type: 'public' }], environments: null };

export const example = {
  id: 'careful',
  name: 'Careful',
  description: 'A tenth of the users for an hour, then everyone.',
  tags: ['core'],
  phases: [
    {
      id: 'canary',
      name: 'Canary',
      timeIntervalMs: 3_600_000,
      requiredReview: false,
      rules: [{ name: 'A tenth', passPercentage: 10, ...everyone }],
    },
    {
      id: 'all',
      name: 'All',
      timeIntervalMs: 0,
      requiredReview: true,
      rules: [{ name: 'Everyone', passPercentage: 100, ...everyone }],
    },
  ],
};

export const pipelineResponse = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string(),
    tags: strings,
    phases: z.array(phase),
    ...stamps,
  })
  .meta({ id: 'ReleasePipeline', examples: [{ ...example, ...stampsExample }] });

export type ReleasePipeline = z.infer<typeof pipelineResponse>;
export type ReleasePhase = ReleasePipeline['phases'][number];

const { id: _id, ...updateExample } = example;

export const pipelineUpdate = z
  .object({
    name,
    description: description.optional(),
    tags: tags.optional(),
    phases: phasesInput,
  })
  .meta({ id: 'ReleasePipelineUpdate', examples: [updateExample] });

export const pipelinePatch = pipelineUpdate
  .partial()
  .meta({ id: 'ReleasePipelinePatch', examples: [{ description: updateExample.description }] });

export const pipelineCreate = pipelineUpdate
  .partial({ phases: true })
  .extend({ id: id.optional() })
  .meta({ id: 'ReleasePipelineCreate', examples: [updateExample] });
