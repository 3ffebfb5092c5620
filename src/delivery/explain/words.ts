import { describe, describeRoutes } from '../../platform/openapi/words/describe.ts';
import type { explainRoutes } from './routes.ts';
import { conditionTrace, explainBody, explanation, ruleTrace, trace } from './schema.ts';

describe(conditionTrace, {
  type: 'The type of condition.',
  targetValue: 'Any JSON.',
  seen: 'The compared value: for a bucket its number; null if missing; shortened if long.',
  gate: 'The trace of the gate that the condition depends on.',
});

describe(explainBody, {
  user: 'In the format of SDKs: `userID`, `customIDs`, `custom` and other fields.',
  kind: 'The kind of entity to evaluate.',
  id: 'The ID of the entity to evaluate.',
  asStarted:
    'Whether to evaluate an experiment or autotune in setup as if it had started. The actual start assigns its groups again.',
  now: 'Epoch milliseconds; defaults to now.',
});

describe(explanation, {
  value: 'Any JSON.',
  traces: 'One trace; for a param store, one for each entity that it depends on.',
});

describe(ruleTrace, {
  id: 'The ID of the rule.',
  name: 'The name of the rule.',
  conditions: 'Each condition with its result.',
  bucket: '0 to 9,999; absent if the rule needed no bucket.',
  passes: 'Whether the unit is within the pass percentage.',
});

describe(trace, {
  name: 'The name of the evaluated entity.',
  entity: 'Its type, as named by SDKs.',
  version: 'The evaluated version.',
  enabled: 'Whether it is enabled.',
  ruleID: 'The rule that decided.',
  passes: 'Whether the user passes.',
  value: 'Any JSON.',
  groupName: 'The name of the group or rule that decided.',
  missingUnit: 'The ID type that buckets need and the user lacks.',
  rules: 'Each rule with its result.',
  delegate: 'The trace of the experiment that the layer delegated to.',
});

describeRoutes<typeof explainRoutes>('evaluate', {
  operations: {
    'POST /': 'Each rule, with the value that each condition used. Nothing is changed or counted.',
  },
});
