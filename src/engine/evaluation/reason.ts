import type { OwnRuleID } from '../../base/own_rule_ids.ts';
import type { Evaluation } from './context.ts';
import type { Project, SpecRule } from './spec.ts';

export type EvaluationReason = 'DISABLED' | 'STATIC' | 'SPLIT' | 'DEFAULT' | 'TARGETING_MATCH';

const reasons: Record<OwnRuleID, EvaluationReason> = {
  disabled: 'DISABLED',
  launched: 'STATIC',
  launchedGroup: 'STATIC',
  default: 'DEFAULT',
  prestart: 'DEFAULT',
  layerAssignment: 'DEFAULT',
  targetingGate: 'DEFAULT',
  inlineTargetingRules: 'DEFAULT',
  stopped: 'DEFAULT',
  abandoned: 'DEFAULT',
};

const byRuleID: ReadonlyMap<string, EvaluationReason> = new Map(Object.entries(reasons));

const isHoldout = ({ conditions }: SpecRule, { gates }: Project) =>
  conditions.some(
    ({ type, targetValue }) =>
      type === 'pass_gate' && gates.get(String(targetValue))?.entity === 'holdout',
  );

const isVariant = ({ salt, conditions }: SpecRule) =>
  salt !== '' && conditions.some(({ type }) => type === 'user_bucket');

const isSplitRule = (rule: SpecRule, project: Project) =>
  rule.isExperimentGroup ||
  isVariant(rule) ||
  (rule.passPercentage > 0 && rule.passPercentage < 100) ||
  isHoldout(rule, project);

/** Returns the OpenFeature reason of an evaluation. */
export function evaluationReason(
  { spec, rule, ruleID }: Evaluation,
  project: Project,
): EvaluationReason {
  if (rule && isSplitRule(rule, project)) return 'SPLIT';
  // Rules of users have a salt; an old rule may have the ID of a generated one.
  if (rule && rule.salt !== '') return 'TARGETING_MATCH';
  const isDecidedVariant = spec.entity === 'autotune' && rule?.groupName !== undefined;
  return isDecidedVariant ? 'STATIC' : (byRuleID.get(ruleID) ?? 'TARGETING_MATCH');
}
