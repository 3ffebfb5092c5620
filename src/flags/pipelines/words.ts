import type { Words } from '../../platform/openapi/words/words.ts';
import type { phase, phaseInput, phaseRule, phaseRuleInput } from './schema.ts';

export const words: Words<{
  schemas: {
    PhaseRule: typeof phaseRule | typeof phaseRuleInput;
    ReleasePhase: typeof phase | typeof phaseInput;
  };
}> = {
  schemas: {
    PhaseRule: {
      name: 'The name of the gate or config rule to change.',
      passPercentage: 'The share that passes, in percent, in steps of 0.01.',
    },
    ReleasePhase: {
      id: 'The ID of the phase; generated if absent, then fixed.',
      name: 'The name of the phase.',
      timeIntervalMs: 'The duration of the phase, in milliseconds.',
      requiredReview: 'Whether the phase requires approval before it begins.',
      rules: 'Changes to rules of the gate or config in this phase.',
    },
  },
};
