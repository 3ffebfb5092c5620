import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { loadedMoments } from '../../src/analysis/base/cells.ts';
import { adjustedSquares, linearize, slope } from '../../src/engine/statistics/cuped.ts';
import type { Moments } from '../../src/engine/statistics/moments.ts';
import {
  dayOf,
  expectClose,
  expected,
  experiment,
  runToDay,
  sendEvents,
  sendExposures,
  startExperiment,
} from './end_to_end.ts';

interface StoredRow {
  group: string;
  n: number;
  moments: string;
  upper: number | null;
  upperDenominator: number | null;
}

async function stored(metric: string, rollup: number, ds: string, dimension = '', slice = '') {
  const { results } = await env.DB.prepare(
    `select "group", n, moments, upper, upperDenominator from analysis_moments
     where id = ? and metric = ? and rollup = ? and ds = ? and dimension = ? and slice = ?`,
  )
    .bind(experiment.id, metric, rollup, dayOf(ds), dimension, slice)
    .all<StoredRow>();
  return results;
}

interface Compared {
  cuped: { applied: boolean; theta?: number; absoluteChange: number; standardError: number };
}

type Expected = Pick<
  (typeof expected.results)[number],
  'ds' | 'metricID' | 'rollup' | 'groups' | 'winsorizationThreshold'
> & { comparisons: object };

/** Compares the adjustment by the past with the reference: it uses the moments of both groups. */
function compareAdjusted(groups: ReadonlyMap<string, Moments>, comparisons: object, what: string) {
  const control = groups.get(experiment.controlGroupID);
  const all: [string, Compared][] = Object.entries(comparisons);
  for (const [group, { cuped }] of all) {
    const test = groups.get(group);
    if (!cuped?.applied || !control || !test) continue;
    const theta = slope(control, test);
    expectClose(theta, Number(cuped.theta), `theta of ${what}`);
    const change = test.meanY - control.meanY - theta * (test.meanX - control.meanX);
    expectClose(change, cuped.absoluteChange, `adjusted change of ${what}`);
    const [v, w] = [control, test].map((one) => adjustedSquares(one, theta) / (one.n - 1) / one.n);
    expectClose(Math.sqrt(Number(v) + Number(w)), cuped.standardError, `adjusted error of ${what}`);
  }
}

/** Compares the stored moments of one metric, day and slice with the reference. */
async function compare(wanted: Expected, dimension = '', slice = '') {
  const rows = await stored(wanted.metricID, wanted.rollup, wanted.ds, dimension, slice);
  const what = `${wanted.metricID} ${wanted.rollup} ${wanted.ds} ${dimension}=${slice}`;
  const plainMoments = new Map<string, Moments>();
  for (const [group, own] of Object.entries(wanted.groups)) {
    const row = rows.find((one) => one.group === group);
    const saved = JSON.parse(row?.moments ?? '{}');
    expect(row?.n, `units of ${what} ${group}`).toBe(own.units);
    if (saved.percentile) {
      expectClose(saved.percentile.value, own.mean, `percentile of ${what}`);
      expectClose(saved.percentile.standardError, own.standardError, `error of ${what}`);
      continue;
    }
    const moments = loadedMoments(saved);
    const { n } = moments;
    const isRatio = 'denominator' in own;
    expectClose(n * moments.meanY, own.total, `total of ${what} ${group}`);
    if (isRatio) expectClose(n * moments.meanD, Number(own.denominator), `denominator of ${what}`);
    const plain = isRatio ? linearize(moments) : moments;
    if (!plain) throw new Error(`no ratio in ${what}`);
    plainMoments.set(group, plain);
    expectClose(plain.meanY, own.mean, `mean of ${what} ${group}`);
    expectClose(Math.sqrt(plain.yy / (n - 1) / n), own.standardError, `error of ${what} ${group}`);
  }
  compareAdjusted(plainMoments, wanted.comparisons, what);
  return rows;
}

describe('the results of the reference data', () => {
  beforeAll(async () => {
    await startExperiment();
    await sendExposures();
    await sendEvents();
    for (const ds of new Set(expected.results.map((one) => one.ds))) await runToDay(ds);
  });

  test.each(expected.results.map((one) => [one.metricID, one.ds, one] as const))(
    'of %s on %s equal the reference',
    async (_metric, _ds, wanted) => {
      const rows = await compare(wanted);
      if (wanted.winsorizationThreshold) expect(rows[0]?.upper).toBe(wanted.winsorizationThreshold);
    },
  );

  test.each(expected.rollups.map((one) => [one.metricID, one.rollup, one] as const))(
    'of %s over %i days equal the reference',
    async (_metric, _rollup, wanted) => {
      await compare(wanted);
    },
  );

  test.each(expected.dimensions.map((one) => [one.dimension.country, one] as const))(
    'for the country "%s" equal the reference',
    async (country, wanted) => {
      const rows = await compare({ ...wanted, rollup: -1 }, 'country', country);
      expect(rows[0]?.upper).toBe(wanted.winsorizationThreshold);
    },
  );

  test.each(expected.exposures.map((one) => [one.ds, one] as const))(
    'count the exposed units of %s like the reference',
    async (ds, wanted) => {
      const { results } = await env.DB.prepare(
        `select "group", cumulative, crossovers from analysis_exposures where id = ? and ds = ? and dimension = ''`,
      )
        .bind(experiment.id, dayOf(ds))
        .all<{ group: string; cumulative: number; crossovers: number }>();
      const all = results.map(({ group, cumulative }) => [group, cumulative]);
      expect(Object.fromEntries(all)).toMatchObject(wanted.cumulative);
      expect(results.find(({ group }) => group === '')?.crossovers ?? 0).toBe(
        wanted.crossoverUnits,
      );
    },
  );
});
