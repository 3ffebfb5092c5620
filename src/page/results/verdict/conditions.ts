import type { DecisionRule } from '../../base/types.ts';
import { intervalInWords, lift } from '../../charts/format.ts';
import { boundsOfInterval, countingOf, goodSide } from '../frame/counting.ts';
import type { Result } from '../frame/types.ts';

export interface ResultCondition {
  state: 'met' | 'open' | 'failed';
  words: string;
  detail: string;
  metricName: string;
  isGuardrail: boolean;
}

function betterCondition(result: Result): ResultCondition {
  const counting = countingOf(result);
  const bounds = boundsOfInterval(result.percentConfidenceInterval);
  return {
    state: counting === 'better' ? 'met' : counting === 'worse' ? 'failed' : 'open',
    words: `${result.metricName} is better`,
    metricName: result.metricName,
    isGuardrail: false,
    detail: bounds ? intervalInWords(bounds.lower, bounds.upper) : 'unclear so far',
  };
}

function limitCondition(result: Result, limit: number): ResultCondition {
  const bounds = boundsOfInterval(result.percentConfidenceInterval);
  const good = goodSide(result);
  const words = `${result.metricName} not worse than ${lift(-good * limit)}`;
  const guardrail = { words, metricName: result.metricName, isGuardrail: true };
  if (!bounds) return { state: 'open', ...guardrail, detail: 'unclear so far' };
  const worst = good > 0 ? bounds.lower : -bounds.upper;
  const best = good > 0 ? bounds.upper : -bounds.lower;
  const detail = `at worst ${lift(good > 0 ? bounds.lower : bounds.upper)}`;
  if (worst >= -limit) return { state: 'met', ...guardrail, detail };
  return { state: best < -limit ? 'failed' : 'open', ...guardrail, detail };
}

/** Returns a condition that waits. */
export const openCondition = (words: string, detail: string): ResultCondition => ({
  state: 'open',
  words,
  detail,
  metricName: words,
  isGuardrail: false,
});

/** Returns the state of each line of a decision rule; a metric without a result stays open. */
export const conditionsOf = (rules: DecisionRule[], results: Result[]): ResultCondition[] =>
  rules.map((rule): ResultCondition => {
    const result = results.find(({ metricID }) => metricID === rule.metricID);
    if (!result) return openCondition(rule.metricID, 'no result yet');
    return 'better' in rule ? betterCondition(result) : limitCondition(result, rule.notWorseThan);
  });
