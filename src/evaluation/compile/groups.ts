import type { Entities } from '../entities.ts';
import type { Spec } from '../spec.ts';
import { type GroupQuestion, groupQuestion } from './conditions.ts';
import { inlineRules } from './inline_rules.ts';
import { gateSpec } from './rules.ts';

/** What the rules of a project ask about groups of experiments, each question once. */
export function groupQuestions(served: Entities): GroupQuestion[] {
  const { gates, dynamicConfigs, segments, experiments } = served;
  const rules = [...gates, ...dynamicConfigs, ...segments].flatMap((entity) => entity.rules);
  const inline = experiments.flatMap(inlineRules);
  const asked = [...rules, ...inline]
    .flatMap(({ conditions }) => conditions)
    .filter(({ type }) => type === 'experiment_group')
    .map(groupQuestion);
  return [...new Map(asked.map((question) => [question.name, question])).values()];
}

/** The gate that those pass who are in one of some groups: the rules of the experiment, of which some pass. */
export const compileGroupQuestion = ({ name, groups }: GroupQuestion, experiment: Spec): Spec =>
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
