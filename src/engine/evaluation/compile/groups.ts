import type { Entities } from '../entities.ts';
import type { Spec } from '../spec.ts';
import { type GroupGate, groupGate } from './conditions.ts';
import { inlineRules } from './inline_rules.ts';
import { gateSpec } from './rules.ts';

/** Returns the gates for `experiment_group` conditions, each once. */
export function groupGates(served: Entities): GroupGate[] {
  const { gates, dynamicConfigs, segments, experiments } = served;
  const rules = [...gates, ...dynamicConfigs, ...segments].flatMap((entity) => entity.rules);
  const inline = experiments.flatMap(inlineRules);
  const conditions = [...rules, ...inline]
    .flatMap(({ conditions }) => conditions)
    .filter(({ type }) => type === 'experiment_group')
    .map(groupGate);
  return [...new Map(conditions.map((gate) => [gate.name, gate])).values()];
}

/** Compiles the rules of the experiment to a gate that passes only in the given groups. */
export const compileGroupGate = ({ name, groups }: GroupGate, experiment: Spec): Spec =>
  gateSpec({
    name,
    salt: experiment.salt,
    entity: 'segment',
    idType: experiment.idType,
    version: experiment.version,
    rules: experiment.rules.map(({ groupName, isExperimentGroup: _drawn, ...rule }) => ({
      ...rule,
      returnValue: true,
      passPercentage: groupName !== undefined && groups.includes(groupName) ? 100 : 0,
    })),
  });
