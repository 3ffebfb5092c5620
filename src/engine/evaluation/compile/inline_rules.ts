import type { ExperimentEntity, RuleEntity } from '../entities.ts';

type WithRules = Pick<ExperimentEntity, 'inlineTargetingRulesJSON'>;

/** Returns the inline targeting rules of an experiment. Invalid JSON has no rules, so that no one passes. */
export const inlineRules = <R extends RuleEntity = RuleEntity>(experiment: WithRules): R[] =>
  parsedRules<R>(experiment.inlineTargetingRulesJSON).map((rule) => {
    const id = rule.id || rule.name; // an empty ID counts as missing
    return { ...rule, id, baseID: rule.baseID || id, environments: rule.environments ?? null };
  });

/** Rules may lack properties that the server adds to other rules. */
function parsedRules<R extends RuleEntity>(json: string): R[] {
  try {
    const rules = JSON.parse(json);
    return Array.isArray(rules) ? rules : [];
  } catch {
    return [];
  }
}
