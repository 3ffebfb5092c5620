import { describe, expect, test } from 'vitest';
import { countingOf } from '../../src/page/results/frame/counting.ts';
import { type ResultsState, type Situation, stateOf } from '../../src/page/results/frame/state.ts';
import type { Result } from '../../src/page/results/frame/types.ts';
import { conditionsOf } from '../../src/page/results/verdict/conditions.ts';
import { type Verdict, verdictOf } from '../../src/page/results/verdict/verdict.ts';
import { goodResult, resultOf, situationOf } from './results_fixture.ts';

interface Row {
  state: ResultsState;
  situation?: Partial<Situation>;
  result?: Result;
  hasNoResult?: boolean;
  sentence: string;
  tone?: Verdict['tone'];
  action?: Verdict['action'];
}

const worse = resultOf({
  percentChange: -8,
  percentConfidenceInterval: { lower: -12, upper: -4 },
  significant: true,
});

const rows: Row[] = [
  {
    state: 'collecting',
    situation: { units: 0 },
    hasNoResult: true,
    sentence: 'Waiting for the first user.',
  },
  {
    state: 'preliminary',
    situation: { units: 640, day: 1, hasClosedDay: false },
    hasNoResult: true,
    sentence: 'Day 1: 640 units. Nothing can be said yet.',
  },
  {
    state: 'trending',
    sentence: 'Points offer is ahead on Loyalty sign-ups, but it is too early to tell.',
  },
  {
    state: 'trending',
    result: resultOf({ percentChange: -3 }),
    sentence: 'Points offer is behind on Loyalty sign-ups, but it is too early to tell.',
  },
  { state: 'trending', result: resultOf({ percentChange: 0 }), sentence: 'No direction yet.' },
  {
    state: 'win',
    result: goodResult(),
    sentence: 'Points offer wins on Loyalty sign-ups.',
    tone: 'good',
    action: 'ship',
  },
  {
    state: 'winOpen',
    result: goodResult(),
    situation: { hasOpenCondition: true },
    sentence: 'Points offer wins on Loyalty sign-ups. What it costs is not clear yet.',
    tone: 'good',
  },
  {
    state: 'loss',
    result: worse,
    sentence: 'Points offer is worse on Loyalty sign-ups.',
    tone: 'bad',
    action: 'shipControl',
  },
  {
    state: 'guardrail',
    result: goodResult(),
    situation: { failedGuardrail: 'Support tickets', hasOpenCondition: true },
    sentence: 'Points offer loses Support tickets. Stop it?',
    tone: 'bad',
    action: 'stop',
  },
  {
    state: 'flat',
    result: resultOf({
      percentChange: 0.2,
      percentConfidenceInterval: { lower: -0.6, upper: 1 },
    }),
    situation: { zone: 2 },
    sentence: 'No difference that matters.',
    action: 'shipControl',
  },
  {
    state: 'unclear',
    result: resultOf({ reversePower: 7.7 }),
    situation: { isOver: true, day: 15 },
    sentence: 'Still unclear after 14 days. A change under ±7.7% could not be found.',
  },
  {
    state: 'unbalanced',
    result: goodResult(),
    situation: { isUnbalanced: true },
    sentence: "The groups are not the size they should be. Don't trust these results.",
    tone: 'bad',
  },
  {
    state: 'bayesian',
    result: resultOf({
      bayesian: { chanceToBeat: 0.94, lower: -0.01, upper: 0.02, expectedLoss: 0.0004 },
    }),
    situation: { isBayesian: true },
    sentence: 'Points offer has a 94% chance to be better on Loyalty sign-ups.',
  },
  {
    state: 'bayesian',
    result: resultOf({
      bayesian: { chanceToBeat: 0.97, lower: 0.001, upper: 0.02, expectedLoss: 0.0001 },
    }),
    situation: { isBayesian: true },
    sentence: 'Points offer has a 97% chance to be better on Loyalty sign-ups.',
    tone: 'good',
    action: 'ship',
  },
  {
    state: 'stale',
    situation: { hoursOld: 50 },
    sentence: 'Results are 2 days old.',
    tone: 'warn',
    action: 'loadAgain',
  },
  {
    state: 'noMetrics',
    situation: { hasMetrics: false, hasClosedDay: false },
    hasNoResult: true,
    sentence: 'Nothing says what better means.',
    action: 'addMetric',
  },
  {
    state: 'decided',
    result: goodResult(),
    situation: { shipped: 'Points offer' },
    sentence: 'Points offer won and was shipped to everyone targeted.',
    tone: 'good',
  },
  {
    state: 'decided',
    situation: { shipped: 'Control' },
    sentence: 'Control was kept for everyone targeted.',
    tone: 'good',
  },
];

describe('the verdict', () => {
  test.each(rows)('of the state $state is “$sentence”', (row) => {
    const situation = situationOf(row.situation);
    const result = row.hasNoResult ? undefined : (row.result ?? resultOf());
    expect(stateOf(situation, result)).toBe(row.state);
    const verdict = verdictOf(row.state, result, situation);
    expect(verdict.sentence).toBe(row.sentence);
    expect(verdict.tone).toBe(row.tone ?? 'plain');
    expect(verdict.action).toBe(row.action ?? null);
  });

  test('names the change, its interval and the progress below the sentence', () => {
    const { detail } = verdictOf('trending', resultOf(), situationOf());
    expect(detail).toBe(
      '+5.2%, 95% interval −1.5% to +11.9%. 23,982 of 37,300 units so far; 5 more days.',
    );
  });

  test('names the expected loss of a Bayesian result', () => {
    const bayesian = { chanceToBeat: 0.94, lower: -0.01, upper: 0.02, expectedLoss: 0.000_42 };
    const { detail } = verdictOf('bayesian', resultOf({ bayesian }), situationOf());
    expect(detail).toContain('Expected loss if shipped: 0.00042 per unit.');
  });

  test('has no number of a result without a relative change', () => {
    const result = resultOf({ percentChange: null, percentConfidenceInterval: null });
    const { sentence, detail } = verdictOf('trending', result, situationOf());
    expect(`${sentence} ${detail}`).not.toMatch(/null|NaN|undefined/);
  });
});

describe('a result', () => {
  const interval = { lower: 1, upper: 9 };

  test.each([
    ['unclear', resultOf()],
    ['better', goodResult()],
    ['worse', worse],
    ['worse', goodResult({ directionality: 'decrease' })],
    ['leaning', resultOf({ percentConfidenceInterval: interval })],
    ['leaningworse', resultOf({ percentConfidenceInterval: interval, directionality: 'decrease' })],
  ] as const)('counts as %s', (counting, result) => {
    expect(countingOf(result)).toBe(counting);
  });
});

describe('the conditions of a decision rule', () => {
  const rules = [
    { metricID: 'a', better: true as const },
    { metricID: 'b', notWorseThan: 2 },
    { metricID: 'c', notWorseThan: 10 },
    { metricID: 'd', notWorseThan: 1 },
    { metricID: 'gone', better: true as const },
  ];
  const results = [
    goodResult({ metricID: 'a', metricName: 'Sign-ups' }),
    resultOf({
      metricID: 'b',
      metricName: 'Revenue',
      percentConfidenceInterval: { lower: -1.3, upper: 8 },
    }),
    resultOf({
      metricID: 'c',
      metricName: 'Tickets',
      directionality: 'decrease',
      percentConfidenceInterval: { lower: -15, upper: 35 },
    }),
    resultOf({
      metricID: 'd',
      metricName: 'Load time',
      directionality: 'decrease',
      percentConfidenceInterval: { lower: 3, upper: 9 },
    }),
  ];

  test('are met, open or failed by the whole interval', () => {
    const found = conditionsOf(rules, results);
    expect(found.map(({ state, words, detail }) => [state, words, detail])).toEqual([
      ['met', 'Sign-ups is better', '+4.1% to +10.1%'],
      ['met', 'Revenue not worse than −2.0%', 'at worst −1.3%'],
      ['open', 'Tickets not worse than +10.0%', 'at worst +35.0%'],
      ['failed', 'Load time not worse than +1.0%', 'at worst +9.0%'],
      ['open', 'gone', 'no result yet'],
    ]);
  });
});
