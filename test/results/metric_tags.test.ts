import { env } from 'cloudflare:workers';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { analyze } from '../../src/analysis/schedule/analyze.ts';
import { openDatabase } from '../../src/platform/store/sql/database.ts';
import { call, costOf, ok } from '../support/client.ts';
import { makeExperiment, makeMetric, unique } from '../support/factories.ts';

const start = Date.now() - 2 * 86_400_000;

async function schedule() {
  for (let runs = 0; runs < 6; runs++) {
    const db = openDatabase(env.DB, 'first-primary');
    const left = () => ({ trips: 200 - db.meter.trips, ms: 10_000 });
    await analyze({ db, now: Date.now(), left });
  }
}

const nameOf = ({ name, type }: { name: string; type: string }) => ({ name, type });

async function startWith(settings: object) {
  const { id } = await makeExperiment({
    groups: ['control', 'test'].map((name) => ({ name, id: name, size: 50 })),
    ...settings,
  });
  await ok('PUT', `experiments/${id}/start`, { startTime: start });
  await ok('POST', 'exposures', {
    exposures: Array.from({ length: 8 }, (_, index) => ({
      ...{ kind: 'experiment', id, unitType: 'userID', unit: `u-${index}`, time: start },
      group: index % 2 === 0 ? 'control' : 'test',
    })),
  });
  return id;
}

const pair = 'control=control&test=test';

async function listsOf(id: string) {
  const results = await ok('GET', `experiments/${id}/pulse_results?${pair}`);
  const namesIn = (list: { metricName: string }[]) => list.map(({ metricName }) => metricName);
  return [namesIn(results.primaryMetrics), namesIn(results.secondaryMetrics), results.warnings];
}

describe('metrics that carry a tag of an experiment', () => {
  let prefix: string;
  let [core, guard] = ['', ''];
  const make = (name: string, ...tags: string[]) => makeMetric({ name: `${prefix} ${name}`, tags });
  const named = (...names: string[]) => names.map((name) => `${prefix} ${name}`);

  beforeAll(async () => {
    const events = Array.from({ length: 4 }, (_, index) => ({
      ...{ name: 'purchase', userID: `u-${index}`, timestamp: start + 1000 },
    }));
    await ok('POST', 'events', { events });
  });

  beforeEach(() => {
    prefix = unique('Tagged');
    [core, guard] = [unique('core'), unique('guard')];
  });

  test('follow the named ones in the order of their names, each in one list', async () => {
    const z = await make('z');
    const first = await make('m', core);
    await make('c', core, guard);
    await make('d', guard);
    await make('b', core);
    const id = await startWith({
      primaryMetrics: [nameOf(z)],
      secondaryMetrics: [nameOf(first)],
      primaryMetricTags: [core],
      secondaryMetricTags: [guard],
    });
    await schedule();
    expect(await listsOf(id)).toEqual([named('z', 'b', 'c'), named('m', 'd'), []]);
    const answer = await call('GET', `experiments/${id}/pulse_results?${pair}`);
    expect(costOf(answer).trips).toBe(1);
  });

  test('are added with all days when they get the tag later, and removed without it', async () => {
    const [first, late] = [await make('first'), await make('late')];
    const id = await startWith({ primaryMetrics: [nameOf(first)], primaryMetricTags: [core] });
    await schedule();
    expect(await listsOf(id)).toEqual([named('first'), [], []]);
    const latePath = `metrics/${encodeURIComponent(late.id)}`;
    await ok('POST', latePath, { tags: [core] });
    await schedule();
    expect(await listsOf(id)).toEqual([named('first', 'late'), [], []]);
    const totalsOf = async (metricID: string) => {
      const query = `${pair}&metricID=${encodeURIComponent(metricID)}`;
      const { points } = await ok('GET', `experiments/${id}/pulse_series?${query}`);
      return points.map(({ ds, testTotal }: { ds: string; testTotal: number }) => [ds, testTotal]);
    };
    expect(await totalsOf(late.id)).toContainEqual([expect.any(String), 2]);
    expect(await totalsOf(late.id)).toEqual(await totalsOf(first.id));
    const { id: newest } = await make('a new one', core);
    await schedule();
    expect(await listsOf(id)).toEqual([named('first', 'a new one', 'late'), [], []]);
    await ok('POST', latePath, { tags: [] });
    await ok('DELETE', `metrics/${encodeURIComponent(newest)}`);
    await schedule();
    expect(await listsOf(id)).toEqual([named('first'), [], []]);
  });

  test('count when the experiment names the tag later, and not after its decision', async () => {
    await make('one', core);
    const id = await startWith({});
    await schedule();
    await ok('PATCH', `experiments/${id}`, { secondaryMetricTags: [core] });
    await schedule();
    expect(await listsOf(id)).toEqual([[], named('one'), []]);
    await ok('PUT', `experiments/${id}/make_decision`, { decisionReason: 'x', id: 'test' });
    await make('two', core);
    await schedule();
    expect(await listsOf(id)).toEqual([[], named('one'), []]);
  });

  test('are at most 50 in all', async () => {
    const metrics: { name: string; type: string }[] = [];
    for (let index = 10; index < 62; index++) metrics.push(await make(String(index), core));
    const id = await startWith({
      primaryMetrics: metrics.slice(50).map(nameOf),
      primaryMetricTags: [core],
      secondaryMetricTags: [core],
    });
    await schedule();
    const [primary, secondary] = await listsOf(id);
    expect([primary?.length, secondary]).toEqual([50, []]);
    expect(primary?.slice(0, 3)).toEqual(named('60', '61', '10'));
  });
});
