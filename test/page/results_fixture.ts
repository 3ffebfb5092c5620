import type {
  GroupExposures,
  Health,
  PulseSeries,
  Spark,
} from '../../src/page/results/frame/api_types.ts';
import type { Situation } from '../../src/page/results/frame/state.ts';
import type { PulseResults, Result } from '../../src/page/results/frame/types.ts';
import { examples } from '../../src/results/base/examples.ts';
import { result } from '../../src/results/base/schema.ts';

const example = result.parse(examples.pulse.primaryMetrics[0]);

/** A result that is unclear unless changed. */
export const resultOf = (edits: Partial<Result> = {}): Result => ({
  ...example,
  metricID: 'loyalty_signup::event_user',
  metricName: 'Loyalty sign-ups',
  directionality: 'increase',
  testMean: 0.1306,
  controlMean: 0.1241,
  testUnits: 11_964,
  controlUnits: 12_018,
  absoluteChange: 0.0065,
  confidenceInterval: { lower: -0.0019, upper: 0.0148 },
  percentChange: 5.2,
  percentConfidenceInterval: { lower: -1.5, upper: 11.9 },
  pValue: 0.128,
  adjustedAlpha: 0.05,
  adjustedPValue: 0.128,
  reversePower: 9.6,
  percentSequentialTestingConfidenceInterval: { lower: -5.2, upper: 15.6 },
  winsorizationThreshold: null,
  absoluteToplineImpact: null,
  cuped: { applied: true, theta: 0.8, varianceReduction: 0.38, reason: null },
  bayesian: null,
  significant: false,
  significanceBasis: 'fixed',
  warnings: [],
  reason: null,
  ...edits,
});

/** A result that counts and is good. */
export const goodResult = (edits: Partial<Result> = {}) =>
  resultOf({
    percentChange: 7.1,
    percentConfidenceInterval: { lower: 4.1, upper: 10.1 },
    percentSequentialTestingConfidenceInterval: { lower: 1.2, upper: 13 },
    pValue: 0.0001,
    adjustedPValue: 0.0001,
    significant: true,
    ...edits,
  });

/** A running experiment on day 9 of 14, unless changed. */
export const situationOf = (edits: Partial<Situation> = {}): Situation => ({
  test: 'Points offer',
  control: 'Control',
  units: 23_982,
  plannedUnits: 37_300,
  day: 9,
  plannedDays: 14,
  isOver: false,
  hasClosedDay: true,
  hoursOld: 14,
  isUnbalanced: false,
  hasMetrics: true,
  isBayesian: false,
  threshold: 95,
  zone: null,
  hasOpenCondition: false,
  confidence: 95,
  dataTo: '25 Nov',
  ...edits,
});

/** A response of `pulse_results`. */
export const pulseOf = (primary: Result[], secondary: Result[] = []): PulseResults => ({
  ds: new Date(Date.now() - 86_400_000).toISOString().slice(0, 10),
  preliminary: false,
  loadedTime: Date.now() - 60_000,
  primaryMetrics: primary,
  secondaryMetrics: secondary,
  otherMetrics: [],
  warnings: [],
});

type Groups = { id: string; name: string }[];

/** A response of `health` for two groups with these units. */
export function healthOf(groups: Groups, units: number[], isFailed = false): Health {
  const all = units.reduce((sum, one) => sum + one, 0) || 1;
  const status = isFailed ? 'FAILED' : 'PASSED';
  return {
    healthCheckStatus: status,
    healthChecks: [
      { name: 'Exposures', status: 'PASSED', description: 'Exposures are recorded.' },
      { name: 'Balanced groups', status, description: 'The sizes of the groups.' },
      { name: 'Crossover', status: 'PASSED', description: 'Few units saw several groups.' },
      { name: 'Metrics', status: 'PASSED', description: 'Every primary metric has events.' },
    ],
    exposures: { units: all, perDay: all / 9, lastTime: Date.now() - 120_000 },
    balance: {
      pValue: isFailed ? 0.0001 : 0.73,
      alwaysValidPValue: isFailed ? 0.001 : 1,
      groups: groups.map(({ id, name }, index) => ({
        groupID: id,
        groupName: name,
        units: units[index] ?? 0,
        expectedShare: 100 / groups.length,
        observedShare: ((units[index] ?? 0) / all) * 100,
      })),
      days: [],
      dimensions: [],
    },
    crossovers: { units: 14, share: 0.06 },
    metrics: [
      {
        metricID: 'loyalty_signup::event_user',
        metricName: 'Loyalty sign-ups',
        upTo: Date.parse('2026-11-26'),
        lateEvents: 3,
        problem: null,
      },
    ],
  };
}

const dayLength = 86_400_000;

/** Returns the UTC day some days ago, such as "2026-11-25". */
const dayAgo = (days: number) => new Date(Date.now() - days * dayLength).toISOString().slice(0, 10);

/** Eight closed days of a response of `cumulative_exposures`; the first group ends with `units` units. */
export const exposuresOf = (groups: Groups, units: number[]): GroupExposures[] =>
  groups.map(({ id, name }, index) => ({
    groupID: id,
    groupName: name,
    results: Array.from({ length: 8 }, (_, day) => ({
      date: dayAgo(8 - day),
      exposures: Math.round(((units[index] ?? 0) * (day + 1)) / 8),
    })),
  }));

/** Eight days of new units, in which the share of the first group falls after four days. */
export const fallingBalance = (groups: Groups): Health['balance']['days'] =>
  Array.from({ length: 8 }, (_, day) => ({
    ds: dayAgo(8 - day),
    groups: groups.map(({ id }, index) => ({
      groupID: id,
      units: index === 0 && day >= 4 ? 1_040 : 1_430,
    })),
  }));

/** A response of `pulse_series` with a point for each of eight days. */
export const seriesOf = (metricID: string, view: PulseSeries['view']): PulseSeries => ({
  metricID,
  view,
  ...{ reason: null, reasonDetail: null, warnings: [] },
  points: Array.from({ length: 8 }, (_, day) => ({
    ...resultOf({ metricID, percentChange: 4 + day / 5 }),
    ...(view === 'days_since_exposure' ? { day } : { ds: dayAgo(8 - day) }),
  })),
});

/** A response of `pulse_sparks`. */
export const sparksOf = (results: Result[]): Spark[] =>
  results.map(({ metricID, percentChange }) => ({
    metricID,
    points: Array.from({ length: 8 }, (_, day) => ({
      ds: dayAgo(8 - day),
      percentChange: (percentChange ?? 0) + Math.sin(day),
    })),
  }));
