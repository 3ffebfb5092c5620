import { sumOf } from '../../base/numbers.ts';
import type { Experiment } from '../base/types.ts';
import { count } from '../base/words.ts';
import { equalGroups } from '../experiment/equal_groups.ts';
import { judgedOf } from './roles.ts';

export interface PlanCheck {
  state: 'met' | 'warning' | 'failed';
  words: string;
  detail?: string;
  link?: { tab: string; words: string } | { experimentID: string; words: string };
}

export type Planned = Pick<
  Experiment,
  | 'id'
  | 'layerID'
  | 'groups'
  | 'isAnalysisOnly'
  | 'hypothesis'
  | 'primaryMetrics'
  | 'secondaryMetrics'
  | 'primaryMetricTags'
  | 'decisionRule'
  | 'overrides'
>;

type Other = Pick<Experiment, 'id' | 'name' | 'layerID' | 'primaryMetrics'>;

function groupsCheck(experiment: Planned): PlanCheck {
  const { groups } = experiment;
  const repair = { link: { tab: 'design', words: 'Edit groups' } };
  if (groups.filter(({ disabled }) => !disabled).length < 2)
    return { state: 'warning', words: 'Two groups', detail: 'There is only one.', ...repair };
  const words = 'Groups differ';
  const equal = equalGroups(experiment);
  if (!equal) return { state: 'met', words };
  const { first, second, values } = equal;
  const [parameter, value] = Object.entries(values)[0] ?? [];
  if (parameter === undefined)
    return {
      state: 'warning',
      words,
      detail: `${first} and ${second} have no values. Apps can only use the name of the group.`,
      ...repair,
    };
  return {
    state: 'failed',
    words,
    detail: `${first} and ${second} both have ${parameter} = ${JSON.stringify(value)}.`,
    ...repair,
  };
}

function sharesCheck({ groups }: Planned): PlanCheck {
  const words = 'Shares add up to 100%';
  const sum = sumOf(groups.map(({ size }) => Number(size)));
  const isWhole = Math.abs(sum - 100) <= 0.01;
  return isWhole
    ? { state: 'met', words }
    : { state: 'failed', words, detail: `They add up to ${Number(sum.toFixed(2))}%.` };
}

function metricCheck({ primaryMetrics, primaryMetricTags }: Planned): PlanCheck {
  const metrics = primaryMetrics.length + primaryMetricTags.length;
  if (metrics === 0)
    return {
      state: 'warning',
      words: 'A primary metric',
      detail: 'Without one, there is no metric to decide by.',
    };
  if (primaryMetrics.length <= 1) return { state: 'met', words: 'One primary metric' };
  return { state: 'met', words: count(primaryMetrics.length, 'primary metric') };
}

function ruleCheck(experiment: Planned): PlanCheck {
  const words = 'Rule for the decision';
  const ids = new Set(judgedOf(experiment).map(({ id }) => id));
  const { decisionRule } = experiment;
  const stray = decisionRule.find(({ metricID }) => !ids.has(metricID));
  if (stray) return { state: 'warning', words, detail: `${stray.metricID} is not a metric here.` };
  if (decisionRule.length > 0)
    return { state: 'met', words, detail: count(decisionRule.length, 'condition') };
  return { state: 'warning', words, detail: 'It is fixed once the experiment has started.' };
}

function overlapOf({ id, layerID, primaryMetrics }: Planned, running: readonly Other[]) {
  const isShared = ({ name, type }: { name: string; type: string }) =>
    primaryMetrics.some((metric) => metric.name === name && metric.type === type);
  const isApart = (other: Other) => layerID !== null && other.layerID === layerID;
  return running
    .filter((other) => other.id !== id && !isApart(other))
    .flatMap((other) => {
      const metric = other.primaryMetrics.find(isShared);
      return metric ? [{ other, metric: metric.name }] : [];
    })[0];
}

function overlapCheck(experiment: Planned, running: readonly Other[]): PlanCheck {
  const overlap = overlapOf(experiment, running);
  if (!overlap) return { state: 'met', words: 'No other test of its primary metrics' };
  const { other, metric } = overlap;
  return {
    state: 'warning',
    words: 'Overlaps with another test',
    detail: `It also moves ${metric}. Put them in one layer?`,
    link: { experimentID: other.id, words: other.name },
  };
}

function overridesCheck({ overrides: { overrides, userIDOverrides } }: Planned): PlanCheck {
  const words = 'Overrides for your team';
  const people = sumOf(userIDOverrides.map(({ ids }) => ids.length));
  if (people + overrides.length > 0)
    return {
      state: 'met',
      words,
      detail: people > 0 ? count(people, 'unit') : count(overrides.length, 'override'),
    };
  return {
    state: 'warning',
    words,
    detail: 'See each group yourself before users do.',
    link: { tab: 'overrides', words: 'Add an override' },
  };
}

const hypothesisCheck = ({ hypothesis }: Planned): PlanCheck =>
  hypothesis.trim() === ''
    ? {
        state: 'warning',
        words: 'Hypothesis written',
        detail: 'Say what you expect, and why.',
        link: { tab: 'settings', words: 'Write it' },
      }
    : { state: 'met', words: 'Hypothesis written' };

/** Returns what to check before the start of an experiment. */
export const checklistOf = (experiment: Planned, running: readonly Other[]): PlanCheck[] => [
  hypothesisCheck(experiment),
  metricCheck(experiment),
  groupsCheck(experiment),
  sharesCheck(experiment),
  ruleCheck(experiment),
  overlapCheck(experiment, running),
  overridesCheck(experiment),
];
