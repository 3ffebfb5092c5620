import type { OwnRuleID } from '../shared/own_rule_ids.ts';
import type { Evaluation } from './context.ts';
import type { Project, Rule } from './spec.ts';

/** Why a value is what it is, in the words of OpenFeature. */
export type Reason = 'DISABLED' | 'STATIC' | 'SPLIT' | 'DEFAULT' | 'TARGETING_MATCH';

const reasons: Record<OwnRuleID, Reason> = {
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

const byRuleID: ReadonlyMap<string, Reason> = new Map(Object.entries(reasons));

/** Whether a rule keeps the units of a holdout out. */
const isHoldout = ({ conditions }: Rule, { gates }: Project) =>
  conditions.some(
    ({ type, targetValue }) =>
      type === 'pass_gate' && gates.get(String(targetValue))?.entity === 'holdout',
  );

/** Whether a rule that people wrote gives a variant to a share of those who pass. */
const isVariant = ({ salt, conditions }: Rule) =>
  salt !== '' && conditions.some(({ type }) => type === 'user_bucket');

/** Whether chance decided: a share of units, a group or variant, a holdout. */
const isDrawn = (rule: Rule, project: Project) =>
  rule.isExperimentGroup ||
  isVariant(rule) ||
  (rule.passPercentage > 0 && rule.passPercentage < 100) ||
  isHoldout(rule, project);

/** Why a user gets what it gets. */
export function reasonOf({ spec, rule, ruleID }: Evaluation, project: Project): Reason {
  if (rule && isDrawn(rule, project)) return 'SPLIT';
  // Rules that people wrote have a salt; old ones may have the id of one of ours.
  if (rule && rule.salt !== '') return 'TARGETING_MATCH';
  const isDecidedVariant = spec.entity === 'autotune' && rule?.groupName !== undefined;
  return isDecidedVariant ? 'STATIC' : (byRuleID.get(ruleID) ?? 'TARGETING_MATCH');
}
