import type { Words } from '../../platform/openapi/words/words.ts';
import type { condition } from './conditions.ts';
import type { givenRule, rule, variants } from './rules.ts';

export const words: Words<{
  schemas: {
    Condition: typeof condition;
    Rule: typeof rule | typeof givenRule;
    RuleVariant: typeof variants;
  };
}> = {
  schemas: {
    Condition: {
      type: 'The type of condition.',
    },
    Rule: {
      id: 'The ID of the rule; generated if absent, then fixed.',
      name: 'The name of the rule, unique within its entity.',
    },
    RuleVariant: {
      name: 'The name of the variant.',
    },
  },
};
