import type { Page } from 'playwright-core';
import type { Experiment } from '../../src/page/base/types.ts';
import type { Result } from '../../src/page/results/frame/types.ts';
import type { Summary } from '../../src/page/urgency/standing.ts';
import { goodResult, resultOf } from './results_fixture.ts';

const dayLength = 86_400_000;

export interface Line {
  experiment: Experiment;
  result: Result | null;
}

/** The properties of an experiment that a list of experiments needs, on day 9 of 14 unless changed. */
export function experimentOf(base: Experiment, edits: Partial<Experiment>): Experiment {
  return {
    ...base,
    status: 'active',
    startTime: Date.now() - 8.2 * dayLength,
    endTime: null,
    decisionTime: null,
    scheduledStartTime: null,
    duration: 14,
    launchedGroupID: null,
    controlGroupID: 'a',
    groups: ['a', 'b'].map((id, index) => ({
      ...(base.groups[0] ?? { size: 50, disabled: false, parameterValues: {} }),
      id,
      name: index === 0 ? 'Control' : 'Variant',
      size: 50,
      description: '',
      foreignGroupID: null,
      isRecommended: false,
      parameterValues: {},
    })),
    primaryMetrics: [{ name: 'Loyalty sign-ups', type: 'event_user' }],
    decisionRule: [],
    smallestChanges: [],
    analyticsType: 'frequentist',
    healthCheckStatus: 'PASSED',
    healthChecks: [balanced('PASSED')],
    isStale: false,
    tags: [],
    ...edits,
  };
}

const balanced = (status: 'PASSED' | 'FAILED'): Experiment['healthChecks'][number] => ({
  name: 'Balanced groups',
  status,
  description: 'The sizes of the groups.',
  groups: [
    { groupID: 'a', units: 4_650, expectedShare: 50 },
    { groupID: 'b', units: 5_350, expectedShare: 50 },
  ],
});

const startedBefore = (days: number) => Date.now() - (days - 0.8) * dayLength;

const changeOf = (percentChange: number, lower: number, upper: number, name: string) =>
  resultOf({
    metricName: name,
    percentChange,
    percentConfidenceInterval: { lower, upper },
    percentSequentialTestingConfidenceInterval: null,
    significant: lower > 0 || upper < 0,
  });

/** One experiment in each state, the last changed first. */
export function everyState(base: Experiment): Line[] {
  const line = (edits: Partial<Experiment>, result: Result | null): Line => ({
    experiment: experimentOf(base, edits),
    result,
  });
  const decided = { status: 'decision_made' as const, decisionTime: Date.UTC(2026, 9, 28, 12) };
  return [
    line({ id: 'loyalty_offer', name: 'Loyalty offer' }, changeOf(5.2, -1.5, 11.9, 'Sign-ups')),
    line(
      { id: 'search_ranking', name: 'Search ranking v3', startTime: startedBefore(11) },
      goodResult({
        metricName: 'Search to cart',
        percentChange: 2.6,
        percentSequentialTestingConfidenceInterval: { lower: 1.2, upper: 4 },
      }),
    ),
    line({ id: 'push_at_noon', name: 'Push at noon', status: 'setup', startTime: null }, null),
    line(
      {
        id: 'free_delivery',
        name: 'Free delivery from',
        startTime: startedBefore(6),
        healthCheckStatus: 'FAILED',
        healthChecks: [balanced('FAILED')],
      },
      changeOf(3, 1, 5, 'Orders'),
    ),
    line(
      { id: 'guest_checkout', name: 'Checkout without account', startTime: startedBefore(15) },
      goodResult({
        metricName: 'Completed checkouts',
        percentChange: 4.2,
        percentConfidenceInterval: { lower: 1.7, upper: 6.7 },
      }),
    ),
    line(
      { id: 'shorter_signup', name: 'Shorter sign-up', ...decided, launchedGroupID: 'b' },
      goodResult({ metricName: 'Sign-ups', percentChange: 6.1 }),
    ),
    line(
      { id: 'delivery_date', name: 'Delivery date in list', ...decided, launchedGroupID: 'a' },
      changeOf(-30.4, -45.8, -9, 'Orders'),
    ),
  ];
}

/** Answers the lists of experiments and their summaries with these lines. */
export async function serveExperiments(page: Page, lines: Line[]): Promise<void> {
  await page.route('**/console/v1/experiments?*', (route) => {
    const query = new URL(route.request().url()).searchParams;
    const [statuses, size] = [query.getAll('status'), Number(query.get('limit'))];
    const number = Number(query.get('page') ?? 1);
    const found = lines
      .map(({ experiment }) => experiment)
      .filter(({ status }) => statuses.length === 0 || statuses.includes(status));
    return route.fulfill({
      json: {
        message: '',
        data: found.slice((number - 1) * size, number * size),
        pagination: {
          itemsPerPage: size,
          pageNumber: number,
          totalItems: found.length,
          nextPage: null,
        },
      },
    });
  });
  await page.route('**/console/v1/experiments/pulse_summaries?*', (route) => {
    const ids = new URL(route.request().url()).searchParams.get('ids')?.split(',');
    const data: Summary[] = lines
      .filter(({ experiment }) => ids?.includes(experiment.id))
      .map(({ experiment: { id }, result }) => ({
        id,
        controlGroupID: 'a',
        testGroupID: 'b',
        ds: new Date(Date.now() - dayLength).toISOString().slice(0, 10),
        metric: result,
      }));
    return route.fulfill({ json: { message: '', data } });
  });
}

const phase = (name: string, passPercentage: number) => ({
  id: name.toLowerCase(),
  name,
  timeIntervalMs: 3_600_000,
  requiredReview: false,
  rules: [{ name: 'All', passPercentage, conditions: [{ type: 'public' }] }],
});

/** A release in its second phase of four, with this status. */
export const releaseOf = (gateID: string, status: string) => ({
  id: `release_of_${gateID}`,
  releasePipelineID: 'step_by_step',
  gateID,
  dynamicConfigID: '',
  status,
  currentPhase: 'Quarter',
  currentPhaseID: 'quarter',
  currentPhaseEndTime: Date.now() + 2.5 * 3_600_000,
  actions: [],
  phases: [phase('Tenth', 10), phase('Quarter', 25), phase('Half', 50), phase('Everyone', 100)],
  version: 1,
  lastModifiedTime: Date.now(),
  lastModifierName: 'CONSOLE API',
});

/** Answers the list of unfinished releases. */
export const serveReleases = (page: Page, releases: object[]) =>
  page.route('**/console/v1/release_pipeline_triggers?*', (route) =>
    route.fulfill({ json: { message: '', data: releases } }),
  );
