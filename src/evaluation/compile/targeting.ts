import type { ExperimentEntity, RuleEntity } from '../entities.ts';
import type { Spec } from '../spec.ts';
import { runSalt } from './draw.ts';
import { compileRules, gateSpec } from './rules.ts';
import type { Scope } from './scope.ts';

/** The name of the gate that the inline targeting of an experiment is compiled to. */
export const targetingName = (experimentID: string): string => `segment:targeting:${experimentID}`;

type WrittenRule = Partial<RuleEntity> & Pick<RuleEntity, 'name' | 'passPercentage' | 'conditions'>;

/**
 * The targeting rules of an experiment, which it holds as JSON text. They were validated when they were written; a text
 * that cannot be read all the same makes no rule, so that nobody is let in.
 */
export function inlineRules({ inlineTargetingRulesJSON: json }: ExperimentEntity): RuleEntity[] {
  const rules = parsed(json);
  return rules.map((rule) => {
    const id = rule.id || rule.name; // an empty one counts as absent
    return { ...rule, id, baseID: rule.baseID || id, environments: rule.environments ?? null };
  });
}

function parsed(json: string): WrittenRule[] {
  try {
    const rules: unknown = JSON.parse(json);
    return Array.isArray(rules) ? rules : [];
  } catch {
    return [];
  }
}

/** The targeting rules of an experiment, as a gate that those pass who fit. */
export const compileTargeting = (experiment: ExperimentEntity, scope: Scope): Spec => {
  const { id, idType, version } = experiment;
  const rules = inlineRules(experiment);
  const salt = experiment.salt ?? runSalt(experiment);
  return gateSpec({
    name: targetingName(id),
    salt,
    entity: 'segment',
    idType,
    version,
    rules: compileRules(rules, { idType, salt, returnValue: () => true }, scope),
  });
};
