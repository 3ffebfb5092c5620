import { beforeEach, expect, test } from 'vitest';
import type { Unit } from '../../src/analysis/base/exposures.ts';
import { noProgress } from '../../src/analysis/base/progress.ts';
import {
  type LoadDay,
  slicedValues,
  withExtremes,
  withLimits,
} from '../../src/analysis/day/chunks.ts';
import { planMetric } from '../../src/analysis/plan/metric.ts';
import { ok } from '../support/client.ts';
import { emptyDatabase } from '../support/database.ts';

const count = 20_000;
const plans = ['a', 'b', 'c', 'd'];

const units: { unit: Unit; reading: { y: number; x: number; skipped: number } }[] = Array.from(
  { length: count },
  (_, index) => ({
    unit: {
      ...{ unit: `u${index}`, group: 'test', time: 0 },
      attributes: { plan: plans[index % 4] },
    },
    reading: { y: 1 + ((index * 7919) % count), x: 0, skipped: 0 },
  }),
);

beforeEach(emptyDatabase);

/** Adds the units in chunks, and returns the values that are kept and the bounds that follow. */
async function kept(slices: LoadDay['slices']) {
  const metric = await ok('POST', 'metrics', {
    ...{ name: 'Winsorized', type: 'sum' },
    metricEvents: [{ name: 'buy', type: 'value' }],
    warehouseNative: { winsorizationHigh: 0.9 },
  });
  const plan = planMetric(metric, {
    ...{ unitType: 'userid', dimensions: ['plan'], cohortDays: null, waitsForCohort: false },
    find: () => undefined,
  });
  if (!('type' in plan)) throw new Error(plan.detail);
  const day = { units: count, dimensions: ['plan'], slices };
  let progress = noProgress('');
  for (let at = 0; at < count; at += 5000)
    progress = withExtremes(progress, plan, slicedValues(day, units.slice(at, at + 5000)), day);
  const sizes = Object.values(progress.extremes).map(({ y }) => y?.top.length);
  return { sizes, limits: withLimits(progress, plan).limits };
}

test('a slice keeps as many of its largest values as its own units need', async () => {
  const own = new Map(plans.map((plan) => [plan, count / 4]));
  const { sizes, limits } = await kept(new Map([['plan', own]]));
  expect(sizes).toEqual([2001, 501, 501, 501, 501]);
  for (const [key, { y }] of Object.entries(limits)) {
    const [, slice] = JSON.parse(key);
    const values = units
      .filter(({ unit }) => slice === '' || unit.attributes.plan === slice)
      .map(({ reading }) => reading.y)
      .sort((a, b) => a - b);
    expect(y?.upper).toBe(values[0.9 * values.length - 1]);
  }
});

test('a slice whose units are partly in the remainder keeps as many values as both need', async () => {
  const own = new Map(plans.map((plan): [string, number] => [plan, 1000]));
  own.set('(other values)', 4000);
  const { sizes, limits } = await kept(new Map([['plan', own]]));
  expect(sizes).toEqual([2001, 501, 501, 501, 501]);
  expect(Object.values(limits).every(({ y }) => y?.upper)).toBe(true);
});
