import type { ExperimentEntity, RuleEntity } from '../entities.ts';

type WithRules = Pick<ExperimentEntity, 'inlineTargetingRulesJSON'>;

/**
 * The targeting rules of an experiment, which it holds as JSON text. They were validated when they were written; a text
 * that cannot be read all the same makes no rule, so that nobody is let in.
 */
export const inlineRules = <R extends RuleEntity = RuleEntity>(experiment: WithRules): R[] =>
  parsed<R>(experiment.inlineTargetingRulesJSON).map((rule) => {
    const id = rule.id || rule.name; // an empty one counts as absent
    return { ...rule, id, baseID: rule.baseID || id, environments: rule.environments ?? null };
  });

/** Rules as they were written: they may lack what the server gives to those of others. */
function parsed<R extends RuleEntity>(json: string): R[] {
  try {
    const rules = JSON.parse(json);
    return Array.isArray(rules) ? rules : [];
  } catch {
    return [];
  }
}
