import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { studentQuantile } from '../../src/engine/statistics/distributions.ts';
import { heterogeneityPValue } from '../../src/engine/statistics/heterogeneity.ts';
import type { Result } from '../../src/results/base/schema.ts';
import { call, costOf, ok, send, textOf } from '../support/client.ts';
import { emptyDatabase } from '../support/database.ts';
import { exampleID, loadExample, metricID } from './example.ts';

const namesOf = (checks: { name: string }[]) => checks.map(({ name }) => name);

test('the health of an earlier run is that of its own groups', async () => {
  await emptyDatabase();
  await loadExample();
  const path = `experiments/${exampleID}`;
  const { startTime } = await ok('GET', path);
  const before = await ok('GET', `${path}/health`);
  await ok('PUT', `${path}/reset`);
  const groups = [
    { id: 'control', name: 'Control', size: 90 },
    { id: 'test', name: 'Test', size: 10 },
  ];
  await ok('PATCH', path, { groups });
  await ok('PUT', `${path}/start`);
  const { balance, healthChecks } = await ok('GET', `${path}/health?start=${startTime}`);
  expect(balance).toEqual(before.balance);
  expect(healthChecks[1]).toEqual(before.healthChecks[1]);
});

describe('the health of a loaded experiment', () => {
  beforeAll(async () => {
    await emptyDatabase();
    await loadExample();
  });

  test('is in the list of experiments for at most one more row', async () => {
    const list = await call('GET', 'experiments');
    const checks = ['Exposures', 'Balanced groups', 'Crossover', 'Metrics', 'Pre-Experiment Bias'];
    expect(namesOf(list.data[0].healthChecks)).toEqual(checks);
    const { results } = await env.DB.prepare('select * from analyses').all();
    await env.DB.prepare('delete from analyses').run();
    const without = await call('GET', 'experiments');
    expect(namesOf(without.data[0].healthChecks)).toEqual(checks.slice(0, 2));
    expect(costOf(list).read - costOf(without).read).toBeLessThanOrEqual(1);
    const [analysis = {}] = results;
    const names = Object.keys(analysis);
    const places = names.map(() => '?').join(', ');
    await env.DB.prepare(`insert into analyses (${names.join(', ')}) values (${places})`)
      .bind(...Object.values(analysis))
      .run();
  });

  test('shows what is in the summaries and the sparks, each in one call', async () => {
    const summaries = await call('GET', `experiments/pulse_summaries?ids=${exampleID},none`);
    expect(summaries.data).toHaveLength(1);
    expect(summaries.data[0]).toMatchObject({ id: exampleID, metric: { metricID } });
    const pair = 'control=control&test=test';
    const sparks = await call('GET', `experiments/${exampleID}/pulse_sparks?${pair}`);
    const [{ points }] = sparks.data;
    expect(points).toHaveLength(2);
    expect(points[1].percentChange).toBe(summaries.data[0].metric.percentChange);
    expect([costOf(summaries).trips, costOf(sparks).trips]).toEqual([1, 1]);
  });

  test('fails in the list and in the summaries if the groups are unbalanced', async () => {
    const setUnits = (units: number) =>
      env.DB.prepare(`update exposure_counts set units = ${units} where "group" = 'test'`).run();
    await setUnits(600);
    const list = await call('GET', 'experiments');
    const summaries = await call('GET', `experiments/pulse_summaries?ids=${exampleID}`);
    await setUnits(60);
    expect([list.data[0].healthCheckStatus, summaries.data[0].healthCheckStatus]).toEqual([
      'FAILED',
      'FAILED',
    ]);
  });

  test('is joined by results as a table in CSV for a client that accepts it', async () => {
    const path = `experiments/${exampleID}/pulse_results?control=control&test=test`;

    const answer = await send('GET', path, { headers: { Accept: 'text/csv' } });
    expect(answer.headers.get('Content-Type')).toContain('text/csv');
    const [names = '', row = '', ...rest] = (await textOf(answer)).split('\r\n');
    expect(rest).toEqual(['']);
    const cells = row.split(',');
    const column = (name: string) => cells[names.split(',').indexOf(name)];
    expect(column('metricID')).toBe(metricID);
    expect(Number(column('testUnits'))).toBe(60);
    expect(Number(column('srmPValue'))).toBe(1);
    expect(Number(column('crossoverShare'))).toBe(0);
  });
});

describe('the quality score of the power', () => {
  const scored = async (settings: object) => {
    await emptyDatabase();
    const [name = '', type = ''] = metricID.split('::');
    await loadExample({
      primaryMetrics: [{ name, type, hypothesizedValue: 20 }],
      manualQualityScores: [{ criteriaName: 'POWER_ANALYSIS', weight: 100 }],
      ...settings,
    });
    const answer = await call('GET', `experiments/${exampleID}`);
    const [{ status, criteriaDescription }] = answer.data.manualQualityScores;
    return { status, criteriaDescription, read: costOf(answer).read };
  };

  test('follows from the control group and the planned units', async () => {
    const few = await scored({ targetExposures: 100 });
    expect(few.status).toBe('WARNING');
    const many = await scored({ targetExposures: 100_000 });
    expect(many).toMatchObject({
      status: 'PASSED',
      criteriaDescription: 'The planned units find the hypothesized change with a power of 100%.',
    });
    // The example exposes 60 units a day in its first two days.
    const short = await scored({ duration: 5 });
    const same = await scored({ targetExposures: 300 });
    expect(short.criteriaDescription).toBe(same.criteriaDescription);
    const [name = '', type = ''] = metricID.split('::');
    const without = await scored({ primaryMetrics: [{ name, type }] });
    expect(without.status).toBe('WAITING');
    expect(many.read).toBe(without.read);
  });
});

describe('the balance of the groups', () => {
  test('is also by SDK and app version, which no experiment needs to name', async () => {
    await emptyDatabase();
    await loadExample({}, 2, { sdkType: 'react-client', appVersion: '4.1.0' });
    const { balance } = await ok('GET', `experiments/${exampleID}/health`);
    const groups = [
      { groupID: 'control', units: 60 },
      { groupID: 'test', units: 60 },
    ];
    expect(balance.dimensions).toContainEqual({
      ...{ dimension: 'sdkType', dimension_value: 'react-client', pValue: 1, groups },
    });
    expect(balance.dimensions).toContainEqual({
      ...{ dimension: 'appVersion', dimension_value: '4.1.0', pValue: 1, groups },
    });
    const query = `control=control&test=test&metricID=${encodeURIComponent(metricID)}`;
    const path = `experiments/${exampleID}/pulse_metric_result?${query}`;
    expect((await call('GET', `${path}&dimension=sdkType`)).status).toBe(400);
  });

  test('comes with the probability that the values of a dimension differ by chance', async () => {
    const query = `control=control&test=test&metricID=${encodeURIComponent(metricID)}`;
    const path = `experiments/${exampleID}/pulse_metric_result?${query}`;
    const sliced = await ok('GET', `${path}&dimension=country`);
    const [one, other] = sliced.dimensionResults.map(({ metric }: { metric: Result }) => ({
      change: metric.absoluteChange ?? 0,
      standardError:
        (metric.absoluteChange ?? 0) /
        studentQuantile(1 - (metric.pValue ?? 0) / 2, metric.degreesOfFreedom ?? 1),
    }));
    expect(sliced.heterogeneityPValue).toBeCloseTo(heterogeneityPValue([one, other]) ?? 0, 6);
    expect(sliced.heterogeneityPValue).toBeLessThan(1);
    expect((await ok('GET', path)).heterogeneityPValue).toBeNull();
  });
});
