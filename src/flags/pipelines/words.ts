import { describe } from '../../platform/openapi/words/describe.ts';
import { phase, phaseInput, phaseRule, phaseRuleInput } from './schema.ts';

describe([phaseRule, phaseRuleInput], {
  name: 'The name of the gate or config rule to change.',
  passPercentage: 'The share that passes, in percent, in steps of 0.01.',
});

describe([phase, phaseInput], {
  id: 'The ID of the phase; generated if absent, then fixed.',
  name: 'The name of the phase.',
  timeIntervalMs: 'The duration of the phase, in milliseconds.',
  requiredReview: 'Whether the phase requires approval before it begins.',
  rules: 'Changes to rules of the gate or config in this phase.',
});
