import { metricIDOf } from '../base/metric_ids.ts';
import type { DecisionRule, Experiment, MetricReference } from '../base/types.ts';

export type Role = 'primary' | 'guardrail' | 'secondary';

export interface RoleJudged {
  id: string;
  metric: MetricReference;
  role: Role;
  rule: DecisionRule | undefined;
}

const defaultLimit = 2;

/** Returns the metrics by which an experiment is judged, with their roles and rules. */
export function judgedOf({
  primaryMetrics,
  secondaryMetrics,
  decisionRule,
}: Pick<Experiment, 'primaryMetrics' | 'secondaryMetrics' | 'decisionRule'>): RoleJudged[] {
  const judged = (metric: MetricReference, isPrimary: boolean): RoleJudged => {
    const id = metricIDOf(metric);
    const rule = decisionRule.find(({ metricID }) => metricID === id);
    if (isPrimary) return { id, metric, role: 'primary', rule };
    const isGuardrail = rule !== undefined && 'notWorseThan' in rule;
    return { id, metric, role: isGuardrail ? 'guardrail' : 'secondary', rule };
  };
  return [
    ...primaryMetrics.map((metric) => judged(metric, true)),
    ...secondaryMetrics.map((metric) => judged(metric, false)),
  ];
}

/** Returns the decision rule with another condition of one metric, or without it. */
export const withRule = (
  rules: DecisionRule[],
  metricID: string,
  rule: DecisionRule | undefined,
): DecisionRule[] => {
  const at = rules.findIndex((one) => one.metricID === metricID);
  if (at < 0) return rule ? [...rules, rule] : rules;
  return rules.flatMap((one, index) => (index === at ? (rule ?? []) : one));
};

/** Returns the smallest changes with another one of a metric, in percent. */
export const withChange = (
  changes: Experiment['smallestChanges'],
  metricID: string,
  percent: number,
) => [...changes.filter((one) => one.metricID !== metricID), { metricID, percent }];

const ruleOf: Record<Role, (metricID: string) => DecisionRule | undefined> = {
  primary: (metricID) => ({ metricID, better: true }),
  guardrail: (metricID) => ({ metricID, notWorseThan: defaultLimit }),
  secondary: () => undefined,
};

/** Returns the edits that give a metric a role with its usual rule, or remove it. */
export function withRole(
  experiment: Pick<
    Experiment,
    'primaryMetrics' | 'secondaryMetrics' | 'decisionRule' | 'smallestChanges'
  >,
  metric: MetricReference,
  role: Role | 'none',
) {
  const id = metricIDOf(metric);
  const others = (metrics: MetricReference[]) => metrics.filter((one) => metricIDOf(one) !== id);
  const { primaryMetrics, secondaryMetrics, decisionRule, smallestChanges } = experiment;
  const isPrimary = role === 'primary';
  const isSecondary = role === 'guardrail' || role === 'secondary';
  return {
    primaryMetrics: [...others(primaryMetrics), ...(isPrimary ? [metric] : [])],
    secondaryMetrics: [...others(secondaryMetrics), ...(isSecondary ? [metric] : [])],
    decisionRule: withRule(decisionRule, id, role === 'none' ? undefined : ruleOf[role](id)),
    smallestChanges: isPrimary
      ? smallestChanges
      : smallestChanges.filter(({ metricID }) => metricID !== id),
  };
}
