import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, test } from 'vitest';
import { call, costOf, ok } from '../support/client.ts';
import { emptyDatabase } from '../support/database.ts';
import { makeExperiment, makeHoldout } from '../support/factories.ts';
import { runUntilIdle } from './end_to_end.ts';

const day = 86_400_000;

const stored = async () =>
  (
    await env.DB.prepare('select * from analyses order by kind, id, start').all<
      Record<string, unknown>
    >()
  ).results.map((row) => ({
    ...row,
    isOpen: Number(row.isOpen),
    groups: JSON.parse(String(row.groups)),
    settings: JSON.parse(String(row.settings)),
  }));

beforeEach(emptyDatabase);

describe('the start of an experiment', () => {
  test('opens its analysis in the same batch, with two rows more', async () => {
    const { id } = await makeExperiment({ defaultConfidenceInterval: '90', targetExposures: 800 });
    const started = await call('PUT', `experiments/${id}/start`);
    const { trips, written } = costOf(started);
    expect({ trips, written }).toEqual({ trips: 2, written: 14 });
    expect(await stored()).toMatchObject([
      {
        ...{ kind: 'experiment', id, start: started.data.startTime, unitType: 'userid' },
        ...{ designAlpha: 0.1, tuningUnits: 800, plannedEnd: null, loadedDay: null, isOpen: 1 },
        dueDay: Math.floor(started.data.startTime / day),
      },
    ]);
  });

  test('keeps the design of that moment when settings change', async () => {
    const { id } = await makeExperiment({ targetExposures: 800 });
    await ok('PUT', `experiments/${id}/start`);
    await ok('PATCH', `experiments/${id}`, {
      ...{ targetExposures: 9000, defaultConfidenceInterval: '80' },
      preComputedUserDimensions: [{ name: 'plan' }],
    });
    await runUntilIdle({ now: Date.now() });
    expect(await stored()).toMatchObject([
      { designAlpha: 0.05, tuningUnits: 800, settings: { dimensions: ['plan'] } },
    ]);
  });

  test('by a patch of its status opens it too', async () => {
    const { id } = await makeExperiment();
    await ok('PATCH', `experiments/${id}`, { status: 'active' });
    expect(await stored()).toHaveLength(1);
  });

  test('after a reset opens another analysis', async () => {
    const { id } = await makeExperiment();
    await ok('PUT', `experiments/${id}/start`, { startTime: Date.parse('2026-03-08') });
    await ok('PUT', `experiments/${id}/reset`);
    await ok('PUT', `experiments/${id}/start`);
    await runUntilIdle({ now: Date.now() });
    expect((await stored()).map(({ isOpen }) => isOpen)).toEqual([0, 1]);
  });
});

const rule = (passPercentage: number) => ({
  ...{ id: 'r1', name: 'Some', passPercentage, conditions: [{ type: 'public' }] },
});

describe('a measured rule of a gate', () => {
  test('gets an analysis from the scheduler, in which the larger side is cut', async () => {
    await ok('POST', 'metrics', { name: 'views', type: 'event_count_custom' });
    const monitoringMetrics = [{ name: 'views', type: 'event_count_custom' }];
    const { id } = await ok('POST', 'gates', {
      ...{ name: 'Measured', rules: [rule(20)], measureMetricLifts: true, monitoringMetrics },
    });
    const now = Date.now();
    const exposures = Array.from({ length: 200 }, (_, index) => ({
      ...{ kind: 'gate', id, unitType: 'userID', unit: `u${index}`, time: now },
      group: index % 5 === 0 ? 'r1:on' : 'r1:off',
    }));
    await ok('POST', 'exposures', { exposures });
    await ok('POST', 'events', {
      events: [{ name: 'views', userID: 'u0', timestamp: now + 1000 }],
    });
    await runUntilIdle({ now: now + 60_000 });
    expect(await stored()).toMatchObject([
      {
        ...{ kind: 'gate', id: `${id}:r1`, control: 'r1:off' },
        groups: [
          { id: 'r1:off', size: 80, drawsBelow: 2500 },
          { id: 'r1:on', size: 20 },
        ],
        settings: { otherMetrics: ['views::event_count_custom'] },
      },
    ]);
    const { results } = await env.DB.prepare(
      'select "group", n, moments from analysis_moments order by "group"',
    ).all<{ group: string; n: number; moments: string }>();
    const cut = await env.DB.prepare(
      `select count(*) as n from exposures where "group" = 'r1:off' and draw < 2500`,
    ).first('n');
    expect(results.map(({ n }) => n)).toEqual([cut, 40]);
    expect(JSON.parse(results[1]?.moments ?? '').meanY).toBeCloseTo(1 / 40, 12);
  });

  test('gets another analysis with each phase, and the earlier one ends', async () => {
    const { id } = await ok('POST', 'gates', {
      ...{ name: 'Measured', rules: [rule(20)], measureMetricLifts: true },
    });
    await runUntilIdle({ now: Date.now() });
    await ok('PATCH', `gates/${id}`, { rules: [rule(40)] });
    await runUntilIdle({ now: Date.now() });
    const all = await stored();
    expect(all.map(({ isOpen }) => isOpen)).toEqual([0, 1]);
    await ok('PATCH', `gates/${id}`, { rules: [rule(100)] });
    await runUntilIdle({ now: Date.now() });
    expect((await stored()).map(({ isOpen }) => isOpen)).toEqual([0, 0]);
  });
});

test('a holdout gets an analysis of its present phase, whose control is held back', async () => {
  const { id } = await makeHoldout({ isEnabled: true, passPercentage: 10 });
  await runUntilIdle({ now: Date.now() });
  expect(await stored()).toMatchObject([
    {
      ...{ kind: 'holdout', id, control: 'true', isOpen: 1 },
      groups: [
        { id: 'true', size: 10 },
        { id: 'false', size: 90 },
      ],
    },
  ]);
});
