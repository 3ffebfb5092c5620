import type { ExperimentEntity } from '../entities.ts';
import type { Spec } from '../spec.ts';
import { runSalt } from './draw.ts';
import { inlineRules } from './inline_rules.ts';
import { compileRules, gateSpec } from './rules.ts';
import type { CompileScope } from './scope.ts';

/** Returns the name of the gate for an experiment's inline targeting. */
export const targetingName = (experimentID: string): string => `segment:targeting:${experimentID}`;

/** Compiles the inline targeting of an experiment to a gate. */
export const compileTargeting = (experiment: ExperimentEntity, scope: CompileScope): Spec => {
  const { id, idType, version } = experiment;
  const rules = inlineRules(experiment);
  const salt = runSalt(experiment);
  return gateSpec({
    name: targetingName(id),
    salt,
    entity: 'segment',
    idType,
    version,
    rules: compileRules(rules, { idType, salt, returnValue: () => true }, scope),
  });
};
