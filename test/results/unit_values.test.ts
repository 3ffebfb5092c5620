import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { call, invalidPropertiesOf, ok } from '../support/client.ts';
import { makeMetric, unique } from '../support/factories.ts';

const path = 'metrics/unit_values';
const date = '2026-01-01';
const spent = { metricName: unique('Spent'), metricType: 'sum', unitType: 'userID', unitID: 'u-1' };
const good = { ...spent, value: 1 };

const stored = async () => {
  const { results } = await env.DB.prepare('select unitType, unit, value from unit_values').all();
  return results;
};

describe('values of units', () => {
  beforeAll(() =>
    makeMetric({
      ...{ name: spent.metricName, type: 'sum' },
      metricEvents: [{ name: 'purchase', type: 'value' }],
    }),
  );

  test('are replaced by later ones of the same metric, unit and day', async () => {
    for (const value of [1, 2]) {
      const values = [{ ...spent, unitType: 'UserID', value }];
      expect(await ok('POST', path, { date, values })).toEqual({ accepted: 1 });
    }
    expect(await stored()).toEqual([{ unitType: 'userid', unit: 'u-1', value: 2 }]);
    await ok('POST', path, { date, values: [{ ...spent, numerator: 1, denominator: 2 }] });
  });

  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);

  test.each(['', '2026-02-31', '2025-02-29', '9999-01-01', '0001-01-01', '1969-12-31', tomorrow])(
    'of the day "%s" are 400',
    async (odd) => {
      const body = { date: odd, values: [good] };
      expect(await invalidPropertiesOf('POST', path, body)).toEqual(['date']);
    },
  );

  test('of the present day are stored', async () => {
    const today = new Date().toISOString().slice(0, 10);
    await ok('POST', path, { date: today, values: [good] });
  });

  test.each([
    ['value', spent],
    ['value', { ...spent, value: null, numerator: null }],
    ['denominator', { ...spent, numerator: 1 }],
    ['numerator', { ...good, denominator: 1 }],
    ['metricName', { ...good, metricName: 'None' }],
    ['metricName', { ...good, metricType: 'mean' }],
    ['unitType', { ...good, unitType: 'spaceshipID' }],
    ['unitID', { ...good, unitID: '' }],
  ])('are all refused if one has a wrong %s', async (property, wrong) => {
    const before = await stored();
    const values = [{ ...good, unitID: 'u-2' }, wrong, { ...good, unitID: 'u-3' }];
    const { status, body } = await call('POST', path, { body: { date, values } });
    const properties = body.errors.map((error: { property: string }) => error.property);
    expect([status, properties]).toEqual([400, [`values.1.${property}`]]);
    expect(await stored()).toEqual(before);
  });

  test('name each unknown metric and ID type', async () => {
    const values = [{ ...good, metricName: 'None' }, good, { ...good, unitType: 'spaceshipID' }];
    const { body } = await call('POST', path, { body: { date, values } });
    expect(body.errors).toEqual([
      {
        property: 'values.0.metricName',
        errorMessage: 'must be the name of an existing metric of type sum',
      },
      { property: 'values.2.unitType', errorMessage: 'must be an ID type of the metric: userID' },
    ]);
  });
});
