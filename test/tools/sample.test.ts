import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { sampleAt } from '../../drizzle/sample/index.js';
import { day, visitsBefore } from '../../drizzle/sample/visits.js';
import { analyze } from '../../src/analysis/schedule/analyze.ts';
import { openDatabase } from '../../src/platform/store/sql/database.ts';
import { learnFromTrials } from '../../src/results/learning/run.ts';
import { base, call, ok, routes } from '../support/client.ts';

/** Required queries of lists. */
const queries: Record<string, string> = {
  [`${base}/metrics/values`]: '?date=2026-06-01',
  [`${base}/exposure_count`]: '?experiments=delivery_estimate',
  [`${base}/experiments/pulse_summaries`]: '?ids=delivery_estimate',
};

/** Resources that the sample project lacks, and the export and reports, which have their own tests. */
const without = ['/webhooks', '/users', '/export', '/reports'];

const results = async (id: string, test = 'group_1') =>
  ok('GET', `experiments/${id}/pulse_results?control=group_0&test=${test}`);

const checksOf = async (id: string): Promise<Record<string, string>> => {
  const { healthChecks } = await ok('GET', `experiments/${id}/health`);
  const statuses: { name: string; status: string }[] = healthChecks;
  return Object.fromEntries(statuses.map(({ name, status }) => [name, status]));
};

describe('the sample project', () => {
  const now = Date.now();

  beforeAll(async () => {
    for (const [method, path, body] of sampleAt(now)) await ok(method, path, body);
    const left = () => ({ trips: 10_000, ms: 60_000 });
    const db = openDatabase(env.DB, 'first-primary');
    const load = { db, now: Date.now(), left, chunkSize: 10_000 };
    await learnFromTrials(load);
    await analyze(load);
  });

  test('has entities of every resource', async () => {
    const whole = routes.filter(
      ({ method, path }) =>
        method === 'GET' && !path.includes(':') && !without.some((end) => path.endsWith(end)),
    );
    const lists = await Promise.all(
      whole.map(async ({ path }) => {
        const { body } = await call('GET', `${path}${queries[path] ?? ''}`);
        return { path, isEmpty: Object.keys(body.data ?? body).length === 0 };
      }),
    );
    expect(lists.length).toBeGreaterThan(0);
    expect(lists.filter(({ isEmpty }) => isEmpty)).toEqual([]);
  });

  test('has at most 20,000 events of 14 days, equal on each day except for their times', async () => {
    const { count } = (await env.DB.prepare('select count(*) as count from events').first()) ?? {};
    expect(count).toBeGreaterThan(10_000);
    expect(count).toBeLessThanOrEqual(20_000);
    const midnight = now - (now % day);
    const timesBefore = (end: number) => {
      const { events, exposures } = visitsBefore(end);
      return [...events.map(({ timestamp }) => timestamp), ...exposures.map(({ time }) => time)];
    };
    const times = timesBefore(midnight);
    expect(timesBefore(midnight + day)).toEqual(times.map((time) => time + day));
    expect(Math.min(...times)).toBeGreaterThanOrEqual(midnight - 14 * day);
    expect(Math.max(...times)).toBeLessThan(midnight);
  });

  test('has an experiment on day 9 of 14 that clearly wins', async () => {
    const { startTime, duration } = await ok('GET', 'experiments/delivery_estimate');
    expect([Math.floor((now - startTime) / day) + 1, duration]).toEqual([9, 14]);
    const { primaryMetrics, secondaryMetrics } = await results('delivery_estimate');
    const [orders] = primaryMetrics;
    expect(orders).toMatchObject({
      significant: true,
      significanceBasis: 'sequential',
      warnings: [],
      cuped: { applied: true },
    });
    expect(orders.percentChange).toBeGreaterThan(0);
    const basket = secondaryMetrics.find(
      ({ metricName }: { metricName: string }) => metricName === 'basket',
    );
    expect(basket.percentConfidenceInterval.lower).toBeGreaterThan(-10);
    expect(Object.values(await checksOf('delivery_estimate'))).toEqual(Array(5).fill('PASSED'));
  });

  test('has an experiment without a difference that matters', async () => {
    const [flat] = (await results('search_ranking')).primaryMetrics;
    expect(flat.significant).toBe(false);
    expect(flat.percentConfidenceInterval.lower).toBeGreaterThan(-10);
    expect(flat.percentConfidenceInterval.upper).toBeLessThan(10);
  });

  test('has an experiment of several groups, one with a mismatch of its groups, and one without data', async () => {
    const ofGroups = ['group_1', 'group_2', 'group_3'].map((group) =>
      results('free_delivery_from', group),
    );
    const chances = (await Promise.all(ofGroups)).map(
      ({ primaryMetrics: [{ bayesian }] }) => bayesian.chanceToBeat,
    );
    expect(chances.filter((chance) => chance > 0.95)).toHaveLength(1);
    expect(await checksOf('reviews_first')).toMatchObject({ 'Balanced groups': 'FAILED' });
    expect(await checksOf('wish_list')).toMatchObject({ Exposures: 'WAITING' });
  });

  test('has a decided experiment, one with a plan, and an autotune that learns', async () => {
    expect(await ok('GET', 'experiments/review_reminder')).toMatchObject({
      status: 'decision_made',
    });
    const [reviews] = (await results('review_reminder')).primaryMetrics;
    expect(reviews.significant).toBe(true);
    const planned = await ok('GET', 'experiments/checkout_button');
    expect([planned.status, planned.decisionRule.length]).toEqual(['setup', 2]);
    expect((await ok('GET', 'autotunes/welcome_picture')).status).toBe('active');
    const { variants } = await ok('GET', 'autotunes/welcome_picture/results');
    const allocations: number[] = variants.map(
      ({ allocation }: { allocation: number }) => allocation,
    );
    expect(Math.max(...allocations)).toBeGreaterThan(50);
  });
});
