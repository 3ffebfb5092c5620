import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { planMetric } from '../../src/analysis/plan/metric.ts';
import { callApp, keyOf } from '../support/apps.ts';
import { call, costOf, invalidPropertiesOf, ok } from '../support/client.ts';
import {
  autotuneSettings,
  holdoutSettings,
  makeAutotune,
  makeExperiment,
  makeGate,
  makeHoldout,
} from '../support/factories.ts';

const controls = ['\u0000', 'a\u0000b', 'a\nb', '\u001b'];

const buy = (more: object) => ({ name: 'buy', type: 'metadata', ...more });

describe('a text that becomes a path into JSON', () => {
  test.each(controls)('has no control characters in a metric: %j', async (key) => {
    const metric = (more: object) => ({ name: 'Paid', type: 'sum', ...more });
    const sent: [string, object][] = [
      ['metricEvents.0.metadataKey', { metricEvents: [buy({ metadataKey: key })] }],
      [
        'metricEvents.0.criteria.0.column',
        {
          metricEvents: [
            buy({
              metadataKey: 'price',
              criteria: [{ type: 'metadata', condition: 'non_null', column: key }],
            }),
          ],
        },
      ],
      ['warehouseNative.valueColumn', { warehouseNative: { valueColumn: key } }],
      [
        'warehouseNative.funnelEvents.0.sessionIdentifierField',
        { warehouseNative: { funnelEvents: [{ sessionIdentifierField: key }] } },
      ],
    ];
    for (const [property, more] of sent) {
      expect(await invalidPropertiesOf('POST', 'metrics', metric(more))).toContain(property);
      expect(
        (await call('POST', 'metrics/preview', { body: metric(more) })).body.errors.map(
          (error: { property: string }) => error.property,
        ),
      ).toContain(property);
    }
  });

  test.each(controls)('has no control characters elsewhere: %j', async (key) => {
    const { id } = await makeExperiment();
    const dimensions = { preComputedUserDimensions: [{ name: key }] };
    expect(await invalidPropertiesOf('PATCH', `experiments/${id}`, dimensions)).toEqual([
      'preComputedUserDimensions.0.name',
    ]);
    const autotune = await makeAutotune();
    for (const property of ['metadataField', 'valueColumn'])
      expect(
        await invalidPropertiesOf('POST', `autotunes/${autotune.id}`, {
          ...autotuneSettings,
          [property]: key,
        }),
      ).toEqual([property]);
  });

  test('that was stored before with a control character makes its metric not computable', () => {
    const context = {
      ...{ unitType: 'userid', dimensions: [], cohortDays: null, waitsForCohort: false },
      find: () => undefined,
    };
    const stored = {
      ...{ name: 'Paid', type: 'sum' as const, metricComponentMetrics: [] },
      ...{ id: 'Paid::sum', unitTypes: ['userID'], funnelEventList: [] },
      directionality: 'increase' as const,
      metricEvents: [
        { name: 'buy', type: 'metadata' as const, metadataKey: '\u0000', criteria: [] },
      ],
    };
    expect(planMetric(stored, context)).toMatchObject({
      detail: expect.stringContaining('control characters'),
    });
  });
});

describe('a number', () => {
  test.each([1e51, -1e51, 1e308])('of %d is no value of a unit and no cap', async (value) => {
    await ok('POST', 'metrics', {
      name: `Paid ${value}`,
      type: 'sum',
      metricEvents: [{ name: 'buy', type: 'value' }],
    });
    const row = { metricName: `Paid ${value}`, metricType: 'sum', unitType: 'userID', unitID: 'u' };
    expect(
      await invalidPropertiesOf('POST', 'metrics/unit_values', {
        date: '2026-01-01',
        values: [{ ...row, value }],
      }),
    ).toEqual(['values.0.value']);
    expect(
      await invalidPropertiesOf('POST', 'metrics', {
        ...{ name: 'Capped', type: 'sum', metricEvents: [{ name: 'buy', type: 'value' }] },
        warehouseNative: { cap: value },
      }),
    ).toEqual(['warehouseNative.cap']);
  });

  test('of 1.5e-200 is no share', async () => {
    const [gate, holdout] = [await makeGate(), await makeHoldout()];
    const rule = { name: 'Rule', passPercentage: 1.5e-200, conditions: [] };
    expect(await invalidPropertiesOf('PATCH', `gates/${gate.id}`, { rules: [rule] })).toEqual([
      'rules.0.passPercentage',
    ]);
    expect(
      await invalidPropertiesOf('POST', `holdouts/${holdout.id}`, {
        ...holdoutSettings,
        passPercentage: 1.5e-200,
      }),
    ).toEqual(['passPercentage']);
  });

  test('of checks that a client reports counts at most 10,000 a name', async () => {
    const { id } = await makeGate();
    const report = (type: 'CLIENT' | 'SERVER') =>
      keyOf(type).then((key) =>
        callApp('/v1/log_event', {
          key,
          body: {
            events: [
              { eventName: 'statsig::non_exposed_checks', metadata: { checks: { [id]: 50_000 } } },
            ],
          },
        }),
      );
    expect((await report('CLIENT')).body).toMatchObject({
      leftOut: { checks: { too_large: 40_000 } },
    });
    const stored = await env.DB.prepare('select count from checks where id = ?').bind(id).first();
    expect(stored).toEqual({ count: 10_000 });
    expect((await report('SERVER')).body.leftOut).toBeUndefined();
  });
});

test('more than 20,000 members of a holdout are refused before one is read', async () => {
  const { id } = await makeHoldout();
  const gateIDs = Array.from({ length: 20_001 }, (_, index) => `gate_${index}`);
  const refused = await call('POST', `holdouts/${id}`, { body: { ...holdoutSettings, gateIDs } });
  expect([refused.status, refused.body.errors[0].property]).toEqual([400, 'gateIDs']);
  expect(costOf(refused).read).toBeLessThan(10);
});
