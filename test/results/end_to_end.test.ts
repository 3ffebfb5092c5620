import { beforeAll, describe, expect, test } from 'vitest';
import { isRecord } from '../../src/base/value_types.ts';
import {
  expectClose,
  expected,
  experiment,
  runToDay,
  sendEvents,
  sendExposures,
  startExperiment,
} from '../analysis/end_to_end.ts';
import { call, costOf, ok } from '../support/client.ts';

const path = `experiments/${experiment.id}`;

interface Found {
  metricID: string;
  [name: string]: unknown;
}

/** Reads all results of a day for the control group and one test group, once for each query. */
const pulse = (() => {
  const read = new Map<string, Promise<Found[]>>();
  return (query: string) => {
    const known = read.get(query);
    if (known) return known;
    const reading = ok('GET', `${path}/pulse_results?control=g-1&${query}`).then((data) => [
      ...data.primaryMetrics,
      ...data.secondaryMetrics,
      ...data.otherMetrics,
    ]);
    read.set(query, reading);
    return reading;
  };
})();

type Numbers = Record<string, number | boolean | null | undefined>;

const valueAt = (found: unknown, name: string): unknown =>
  name
    .split('.')
    .reduce<unknown>((value, part) => (isRecord(value) ? value[part] : undefined), found);

/** The names of the reference with those of the response. */
const names: Record<string, string> = {
  absoluteChange: 'absoluteChange',
  degreesOfFreedom: 'degreesOfFreedom',
  pValue: 'pValue',
  confidenceIntervalDelta: 'confidenceIntervalDelta',
  lower: 'confidenceInterval.lower',
  upper: 'confidenceInterval.upper',
  percentChange: 'percentChange',
  percentConfidenceIntervalDelta: 'percentConfidenceIntervalDelta',
  percentLower: 'percentConfidenceInterval.lower',
  percentUpper: 'percentConfidenceInterval.upper',
  sequentialTestingConfidenceIntervalDelta: 'sequentialTestingConfidenceIntervalDelta',
  sequentialTestingPValue: 'sequentialTestingPValue',
  chanceToBeat: 'bayesian.chanceToBeat',
  applied: 'cuped.applied',
  theta: 'cuped.theta',
  testMean: 'testMean',
};

/**
 * The quantiles of Student's t in the reference have relative errors up to 4.1e-9, by comparison with 25 digits. What
 * they bound is compared to 1e-8 of half the interval, and to 2e-8 where Fieller's interval amplifies them.
 */
const bounded: Record<string, { tolerance: number; half: string }> = {
  confidenceIntervalDelta: { tolerance: 1e-8, half: 'confidenceIntervalDelta' },
  lower: { tolerance: 1e-8, half: 'confidenceIntervalDelta' },
  upper: { tolerance: 1e-8, half: 'confidenceIntervalDelta' },
  percentConfidenceIntervalDelta: { tolerance: 1e-8, half: 'percentConfidenceIntervalDelta' },
  percentLower: { tolerance: 2e-8, half: 'percentConfidenceIntervalDelta' },
  percentUpper: { tolerance: 2e-8, half: 'percentConfidenceIntervalDelta' },
};

function toleranceOf(name: string, number: number, wanted: Numbers): number {
  const { tolerance, half } = bounded[name] ?? { tolerance: 1e-9, half: '' };
  return tolerance * Math.max(1, Number(wanted[half] ?? 0) / Math.abs(number));
}

let compared = 0;

function compareNumbers(found: unknown, wanted: Numbers, what: string) {
  for (const [name, number] of Object.entries(wanted)) {
    if (name === 'standardError') continue;
    const own = valueAt(found, names[name] ?? name) ?? null;
    compared++;
    if (typeof number === 'number' && typeof own === 'number')
      expectClose(own, number, `${name} of ${what}`, toleranceOf(name, number, wanted));
    else expect(own, `${name} of ${what}`).toBe(number ?? null);
  }
}

interface Group {
  units: number;
  mean: number | null;
  standardError?: number | null;
  total?: number | null;
}

function compareGroup(found: unknown, side: 'test' | 'control', own: Group, what: string) {
  const wanted = { Units: own.units, Mean: own.mean, Std: own.standardError, Total: own.total };
  for (const [name, number] of Object.entries(wanted)) {
    if (number === undefined) continue;
    compareNumbers(found, { [`${side}${name}`]: number }, what);
  }
}

interface Wanted {
  metricID: string;
  ds: string;
  groups: Record<string, Group | undefined>;
  comparisons: Record<string, object | undefined>;
  winsorizationThreshold?: number | null;
  reason?: string;
}

type Read = (group: string, cuped: boolean) => Promise<unknown>;

/** Compares the results of one test group: plain, and with CUPED, which without effect has the plain numbers. */
async function compareSides(comparison: object, group: string, label: string, read: Read) {
  const found = await read(group, false);
  const { plain, cuped }: { plain?: Numbers; cuped?: Numbers } = comparison;
  if (!plain) return compareNumbers(found, Object.fromEntries(Object.entries(comparison)), label);
  compareNumbers(found, plain, label);
  if (!cuped) return;
  const numbers = cuped.applied ? cuped : { ...plain, applied: false };
  compareNumbers(await read(group, true), numbers, `${label} with CUPED`);
}

async function compareResult(wanted: Wanted, what: string, read: Read) {
  if (wanted.reason)
    for (const group of ['g-2', 'g-3'])
      expect(valueAt(await read(group, true), 'reason'), what).toBe(wanted.reason);
  for (const [group, comparison] of Object.entries(wanted.comparisons)) {
    const label = `${what} ${group}`;
    const found = await read(group, false);
    const { [group]: own, 'g-1': control } = wanted.groups;
    if (own) compareGroup(found, 'test', own, label);
    if (control) compareGroup(found, 'control', control, label);
    const { winsorizationThreshold } = wanted;
    if (winsorizationThreshold !== undefined)
      compareNumbers(found, { winsorizationThreshold }, label);
    await compareSides(comparison ?? {}, group, label, read);
  }
}

const resultOf = async (wanted: Wanted, rollup: number, group: string, cuped: boolean) => {
  const all = await pulse(`test=${group}&date=${wanted.ds}&rollup=${rollup}&cuped=${cuped}`);
  return all.find(({ metricID }) => metricID === wanted.metricID);
};

describe('the results of the reference data over HTTP', () => {
  beforeAll(async () => {
    await startExperiment();
    await sendExposures();
    await sendEvents();
    for (const ds of new Set(expected.results.map((one) => one.ds))) await runToDay(ds);
  });

  test.each(expected.results.map((one) => [one.metricID, one.ds, one] as const))(
    'of %s on %s equal the reference',
    async (metric, ds, wanted) => {
      await compareResult(wanted, `${metric} ${ds}`, (group, cuped) =>
        resultOf(wanted, -1, group, cuped),
      );
    },
  );

  test.each(expected.rollups.map((one) => [one.metricID, one.rollup, one] as const))(
    'of %s over %i days equal the reference',
    async (metric, rollup, wanted) => {
      await compareResult(wanted, `${metric} ${rollup}`, (group, cuped) =>
        resultOf(wanted, rollup, group, cuped),
      );
    },
  );

  test.each(expected.dimensions.map((one) => [one.dimension.country, one] as const))(
    'for the country "%s" equal the reference',
    async (country, wanted) => {
      await compareResult(wanted, `${wanted.metricID} ${country}`, async (group, cuped) => {
        const query = `control=g-1&test=${group}&date=${wanted.ds}&cuped=${cuped}&metricID=${encodeURIComponent(wanted.metricID)}&dimension=country`;
        const { dimensionResults } = await ok('GET', `${path}/pulse_metric_result?${query}`);
        const own = dimensionResults.find(
          (one: { dimension_value: string }) => one.dimension_value === country,
        );
        return own?.metric;
      });
    },
  );

  test('count the exposed units of each day, and check their balance, like the reference', async () => {
    const groups: { groupID: string; results: { date: string; exposures: number }[] }[] = await ok(
      'GET',
      `${path}/cumulative_exposures`,
    );
    const health = await ok('GET', `${path}/health`);
    for (const { ds, cumulative } of expected.exposures) {
      const found = groups.map(({ groupID, results }) => [
        groupID,
        results.find(({ date }) => date === ds)?.exposures,
      ]);
      expect(Object.fromEntries(found), ds).toEqual(cumulative);
    }
    const last = expected.exposures.at(-1);
    expectClose(health.balance.pValue, last?.srmPValue ?? 0, 'p-value of the balance');
    expect(health.crossovers.units).toBe(last?.crossoverUnits);
  });

  test('of each day in a series equal those of the day', async () => {
    const query = 'control=g-1&test=g-2&metricID=revenue%3A%3Asum';
    const answer = await call('GET', `${path}/pulse_series?${query}`);
    const { points } = answer.data;
    expect(points).toHaveLength(14);
    const [day] = (await pulse(`test=g-2&date=2026-03-14&rollup=-1`)).filter(
      ({ metricID }) => metricID === 'revenue::sum',
    );
    const { ds: _, ...point } = points.find(({ ds }: { ds: string }) => ds === '2026-03-14');
    expect(point).toEqual(day);
    const { trips, read } = costOf(answer);
    expect({ trips, isCheap: read <= 3 * points.length + 50, read }).toMatchObject({
      trips: 1,
      isCheap: true,
    });
  });

  test('are read in one round trip', async () => {
    const answer = await call('GET', `${path}/pulse_results?control=g-1&test=g-2`);
    const { trips, read } = costOf(answer);
    expect({ trips, isCheap: read <= 500, read }).toMatchObject({ trips: 1, isCheap: true });
    const headers = { 'If-None-Match': answer.headers.get('ETag') ?? '' };
    const again = await call('GET', `${path}/pulse_results?control=g-1&test=g-2`, { headers });
    const cost = costOf(again);
    expect([again.status, cost.trips, cost.read <= 5, cost.read]).toEqual([
      304,
      1,
      true,
      cost.read,
    ]);
    expect(compared).toBeGreaterThan(2000);
  });
});
