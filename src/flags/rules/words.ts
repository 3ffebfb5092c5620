import { describe } from '../../platform/openapi/words/describe.ts';
import { condition } from './conditions.ts';
import { ruleAddition, ruleChange, valueRuleAddition, valueRuleChange } from './rule_edits.ts';
import { givenRule, rule, variants } from './rules.ts';
import { unitOverridesRequest } from './unit_overrides.ts';

/** The parameter of a list that omits archived entities unless a status is requested. */
export const includeArchived =
  'Whether to include archived entities; by default only if a status is given.';

describe(condition, { type: 'The type of condition.' });

describe([rule, givenRule], {
  id: 'The ID of the rule; generated if absent, then fixed.',
  name: 'The name of the rule, unique within its entity.',
  passPercentage: 'The share that passes, in percent, in steps of 0.01.',
});

describe([ruleAddition, ruleChange, valueRuleAddition, valueRuleChange], {
  position: 'The position of the rule; rules are checked in order, from 0.',
});

describe(variants.element, {
  name: 'The name of the variant.',
  passPercentage:
    'The share of the units that pass the rule, in percent, applied to the nearest 0.1.',
});

describe(unitOverridesRequest, {
  environmentOverrides: {
    environment:
      'Null or empty means all environments; so does leaving it out, except in a removal, where it matches any.',
  },
});
