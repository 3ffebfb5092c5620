import type { criterion } from '../../../data/metrics/criteria.ts';
import type { metricName, metricReference } from '../../../data/metrics/metric_names.ts';
import type { condition } from '../../../flags/rules/conditions.ts';
import type { givenRule, rule, variants } from '../../../flags/rules/rules.ts';
import type { accepted } from '../../http/envelope.ts';
import type { warning } from '../../http/warnings.ts';
import type { revisionResponse } from '../../operations/history.ts';
import type { reference } from '../../operations/references.ts';
import type { Words } from './words.ts';

export const words: Words<{
  schemas: {
    Accepted: typeof accepted;
    Condition: typeof condition;
    Criterion: typeof criterion;
    MetricName: typeof metricName;
    MetricReference: typeof metricReference;
    NamedBy: typeof reference;
    Revision: typeof revisionResponse;
    Rule: typeof rule | typeof givenRule;
    RuleVariant: typeof variants;
    Warning: typeof warning;
  };
}> = {
  schemas: {
    Accepted: {
      accepted: 'The number of accepted items.',
    },
    Condition: {
      type: 'The type of condition.',
    },
    Criterion: {
      type: 'What to check: the value, metadata, or the user.',
      nullVacuousOverride: 'Whether a missing value matches.',
    },
    MetricName: {
      name: 'The name of the metric.',
      type: 'The type of the metric.',
    },
    MetricReference: {
      name: 'The name of the metric.',
      type: 'The type of the metric.',
      direction: 'The expected direction of change.',
      hypothesizedValue: 'The expected size of the change.',
    },
    NamedBy: {
      id: 'The ID of the other entity.',
    },
    Revision: {
      id: 'The ID of the entity.',
      version: 'The version that the change created.',
    },
    Rule: {
      id: 'The ID of the rule; generated if absent, then fixed.',
      name: 'The name of the rule, unique within its entity.',
    },
    RuleVariant: {
      name: 'The name of the variant.',
    },
    Warning: {
      message: 'The effect on it.',
    },
  },
};
