import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { noProgress } from '../../src/analysis/base/progress.ts';
import { dayScope } from '../../src/analysis/base/scope.ts';
import { readerOf } from '../../src/analysis/day/reading.ts';
import { definitionOf, isPlanned, planMetric } from '../../src/analysis/plan/metric.ts';
import type { MetricPlan } from '../../src/analysis/plan/plan.ts';
import { periodOf } from '../../src/analysis/sql/events.ts';
import { eventCountSQL, numbersAtRanks } from '../../src/analysis/sql/percentile.ts';
import { readExposures, readUnits } from '../../src/analysis/sql/statements.ts';
import { readAnalysis, storeProgress } from '../../src/analysis/work/day_tasks.ts';
import { readUploaded } from '../../src/analysis/work/uploads.ts';
import type { Metric } from '../../src/data/metrics/schema.ts';
import type { Start } from '../../src/experiments/starts/table.ts';
import { openDatabase } from '../../src/platform/store/sql/database.ts';
import { type Statement, statement } from '../../src/platform/store/sql/statement.ts';
import { ok } from '../support/client.ts';
import {
  events,
  experiment,
  metrics,
  sendEvents,
  sendExposures,
  startExperiment,
} from './end_to_end.ts';

const chunk = { after: '', size: 10_000 };

const stored = new Map<string, Metric>();
let analysis: Start;

beforeAll(async () => {
  await startExperiment();
  await sendExposures();
  await sendEvents(events.slice(0, 2000));
  for (const { name, type } of metrics)
    stored.set(`${name}::${type}`, await ok('GET', `metrics/${name}::${type}`));
  const key = { kind: 'experiment', id: experiment.id, start: experiment.startTime };
  const [[row]] = await openDatabase(env.DB, 'first-primary').batch(readAnalysis(key));
  if (!row) throw new Error('The start opened no analysis.');
  analysis = row;
});

function planOf(metric: Metric, uploaded: string[] = []): MetricPlan {
  const plan = planMetric(metric, {
    ...{ unitType: 'userid', dimensions: ['country'], cohortDays: null, waitsForCohort: false },
    uploaded,
    find: (id) => stored.get(id),
  });
  if (!isPlanned(plan)) throw new Error(plan.detail);
  return plan;
}

const explain = async ({ sql, params }: Statement): Promise<string[]> => {
  const { results } = await env.DB.prepare(`explain query plan ${sql}`)
    .bind(...params)
    .all<{ detail: string }>();
  return results.map(({ detail }) => detail);
};

const byKey =
  /^SEARCH e USING PRIMARY KEY \(unitType=\? AND unitID=\? AND name=\? AND timestamp>\? AND timestamp<\?\)$/;

/** Fails unless events are entered by the key of a unit, and exposures by theirs. */
function expectKeys(details: string[]) {
  const ofEvents = details.filter((detail) => /^(SEARCH|SCAN) (e|v)\b/.test(detail));
  for (const detail of ofEvents)
    expect(detail).toMatch(detail.startsWith('SEARCH v') ? /INTEGER PRIMARY KEY/ : byKey);
  expect(ofEvents.length).toBeGreaterThan(0);
  expectExposures(details);
}

function expectExposures(details: string[]) {
  const ofExposures = details.filter((detail) => detail.includes('exposures'));
  expect(ofExposures.length).toBeGreaterThan(0);
  for (const detail of ofExposures)
    expect(detail).toMatch(
      /^SEARCH exposures USING PRIMARY KEY \(kind=\? AND id=\? AND start=\? AND unitType=\?( AND unit>\?)?/,
    );
  expect(
    details.filter((detail) => /TEMP B-TREE FOR GROUP BY/.test(detail) && ofExposures.length > 1),
  ).toEqual([]);
}

describe('the statement of a metric', () => {
  test.each(metrics.map((metric) => [`${metric.name}::${metric.type}`] as const))(
    'enters the events of each unit by their key: %s',
    async (id) => {
      const metric = stored.get(id);
      if (!metric) throw new Error(id);
      const plan = planOf(metric);
      const scope = dayScope(analysis, 20_530);
      const statements =
        plan.type === 'percentile'
          ? [
              readUnits(scope, chunk, [
                eventCountSQL(plan, scope, periodOf(null, scope.end, null)),
              ]),
              statement(
                numbersAtRanks(plan, scope, periodOf(null, scope.end, null), {
                  ...{ group: 'g-1', ranks: [10, 20] },
                }),
                (row) => row,
              )(),
            ]
          : [1, -1].map((rollup) => readUnits(scope, chunk, readerOf(plan, scope, rollup).columns));
      for (const statement of statements) expectKeys(await explain(statement));
    },
  );

  test('reads exposures in the order of their key', async () => {
    const details = await explain(readExposures(dayScope(analysis, 20_530), chunk));
    expectExposures(details);
    expect(details.filter((detail) => detail.includes('TEMP B-TREE'))).toEqual([]);
  });

  test('is written as SQL that can be read', () => {
    const metric = stored.get('eur_amount::sum');
    if (!metric) throw new Error('no metric');
    const scope = dayScope(analysis, 20_530);
    const plan = planOf(metric);
    if (plan.type !== 'units') throw new Error('no units');
    const { sql, params } = readUnits(scope, chunk, readerOf(plan, scope, -1).columns);
    expect({ sql, params }).toMatchSnapshot();
  });
});

describe('the statement of a metric with uploaded values', () => {
  const byValue =
    /^SEARCH u USING (COVERING )?PRIMARY KEY \(metricName=\? AND metricType=\? AND unitType=\?( AND unit=\? AND ds>\? AND ds<\?)?\)$/;

  const detailsOfValues = (details: string[]) =>
    details.filter((detail) => /^(SEARCH|SCAN) (u|unit_values)\b/.test(detail));

  test.each([
    'revenue::sum',
    'participation::event_user',
    'purchases_per_view::ratio',
    'latest_purchase::user_warehouse',
  ])('enters the values of each unit by their key: %s', async (id) => {
    const metric = stored.get(id);
    if (!metric) throw new Error(id);
    const scope = dayScope(analysis, 20_530);
    const plan = planOf(metric, [id]);
    if (plan.type !== 'units') throw new Error('no units');
    for (const rollup of [1, -1]) {
      const details = await explain(readUnits(scope, chunk, readerOf(plan, scope, rollup).columns));
      const ofValues = detailsOfValues(details);
      expect(ofValues).toHaveLength(plan.d ? 2 : 1);
      for (const detail of ofValues) expect(detail).toMatch(/ AND ds<\?\)$/);
      for (const detail of ofValues) expect(detail).toMatch(byValue);
      expect(details.filter((detail) => /event_units| e /.test(detail))).toEqual([]);
      expectExposures(details);
    }
  });

  test('finds the metrics with values by their key', async () => {
    const ofValues = detailsOfValues(await explain(readUploaded(stored, [analysis])));
    expect(ofValues).toHaveLength(1);
    expect(ofValues[0]).toMatch(byValue);
  });
});

test.each([
  ['sum', { aggregation: 'sum' as const, valueColumn: 'value' }],
  ['funnel', { funnelEvents: [{ metricSourceName: 'purchase' }] }],
  ['percentile', { aggregation: 'percentile' as const, valueColumn: 'value' }],
])('the plan of a %s names the fields that have no effect', (_, how) => {
  const metric = stored.get('revenue::sum');
  if (!metric) throw new Error('no metric');
  const unusedIn = (more: Metric['warehouseNative']) =>
    planOf({
      ...{ ...metric, type: 'user_warehouse', metricEvents: [] },
      warehouseNative: { metricSourceName: 'purchase', ...how, ...more },
    }).unused;
  expect(unusedIn({ metricDimensionColumns: [], metricDimensionLimits: [] })).toEqual([]);
  const metricDimensionLimits = [{ name: 'color', limit: 3 }];
  expect(unusedIn({ metricDimensionColumns: ['color'], metricDimensionLimits })).toEqual([
    'metricDimensionColumns',
    'metricDimensionLimits',
  ]);
});

describe('the definition of a metric', () => {
  test('changes with each property that is computed with, and with no other', () => {
    const metric = stored.get('revenue::sum');
    if (!metric) throw new Error('no metric');
    const of = (change: Partial<Metric>) => definitionOf(planOf({ ...metric, ...change }));
    const before = of({});
    expect(before).toMatch(/^[0-9a-f]{16}$/);
    expect(definitionOf(planOf(metric, [metric.id]))).not.toBe(before);
    expect(of({ description: 'Other.', tags: ['x'], version: 9 })).toBe(before);
    expect(of({ warehouseNative: { winsorizationHigh: 0.9 } })).not.toBe(before);
    expect(of({ rollupTimeWindow: 'custom', customRollUpStart: 0, customRollUpEnd: 1 })).not.toBe(
      before,
    );
  });

  test('of a composite changes with its components', () => {
    const metric = stored.get('carts_and_purchases::composite_sum');
    const part = stored.get('carts::event_count_custom');
    if (!metric || !part) throw new Error('no metric');
    const before = definitionOf(planOf(metric));
    const criteria = [{ type: 'value' as const, condition: '>' as const, values: ['1'] }];
    const metricEvents = part.metricEvents.map((event) => ({ ...event, criteria }));
    stored.set(part.id, { ...part, metricEvents });
    expect(definitionOf(planOf(metric))).not.toBe(before);
    stored.set(part.id, part);
    expect(experiment.id).toBe(analysis.id);
  });
});

test('progress that is too large for one parameter is stored by several statements', () => {
  const progress = noProgress('x'.repeat(800_000));
  const after = { phase: 'moments' as const, nextUnit: 'u', partial: progress };
  const key = { kind: 'experiment', id: 'large', start: 0, ds: 0, rollup: 1, plannedTime: 0 };
  const advances = ['a', 'b', 'c'].map((metric) => ({
    before: { ...key, metric, phase: 'waiting' as const, nextUnit: '', partial: noProgress('') },
    after,
  }));
  const statements = storeProgress(advances);
  expect(statements).toHaveLength(3);
  for (const { params } of statements)
    expect(Math.max(...params.map((param) => String(param).length))).toBeLessThan(2_000_000);
});
