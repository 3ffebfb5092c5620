import { expect, test } from 'vitest';
import { ok } from '../support/client.ts';
import { exampleID, loadExample } from './example.ts';

const path = `experiments/${exampleID}/pulse_results?control=control&test=test`;

const resultOn = async (date: string, more = '') => {
  const { primaryMetrics } = await ok('GET', `${path}&date=${date}${more}`);
  return primaryMetrics[0];
};

test('a sequential test decides by a fixed horizon on its planned end, and keeps that verdict', async () => {
  // The second day is the planned end.
  await loadExample({ sequentialTesting: true, duration: 2 }, 4);
  const atEnd = await resultOn('2026-01-02');
  expect(atEnd).toMatchObject({ significant: true, significanceBasis: 'fixed', warnings: [] });
  expect(atEnd.adjustedAlpha).toBeCloseTo(0.045, 12);
  const after = await resultOn('2026-01-03');
  expect(after).toMatchObject({
    significant: true,
    significanceBasis: 'fixed',
    adjustedAlpha: 0.05,
  });
  expect(after.sequentialTestingPValue).toBeGreaterThan(0.05);
  const stricter = await resultOn('2026-01-03', '&confidence=99.9');
  expect(stricter).toMatchObject({ significant: false, significanceBasis: 'sequential' });
  const query = 'control=control&test=test&metricID=Example%20revenue%3A%3Asum';
  const { points } = await ok(
    'GET',
    `experiments/${exampleID}/pulse_series?${query}&startDate=2026-01-03`,
  );
  expect(points[0]).toMatchObject({ ds: '2026-01-03', significant: true });

  const latest = (await ok('GET', path)).primaryMetrics[0];
  const [{ metric }] = await ok('GET', `experiments/pulse_summaries?ids=${exampleID}`);
  expect(metric).toEqual(latest);
  const verdicts = async (date: string) => {
    const { dimensionResults } = await ok(
      'GET',
      `experiments/${exampleID}/pulse_metric_result?${query}&dimension=country&date=${date}`,
    );
    return dimensionResults.map(
      (one: { metric: { significant: boolean } }) => one.metric.significant,
    );
  };
  expect(await verdicts('2026-01-02')).toContain(true);
  expect(await verdicts('2026-01-03')).toEqual(await verdicts('2026-01-02'));
});
