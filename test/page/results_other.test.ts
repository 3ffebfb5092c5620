import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import type { Learned, Lifts } from '../../src/page/results/frame/api_types.ts';
import { autotuneInWords } from '../../src/page/results/others/autotune_words.ts';
import { daysBetween } from '../../src/page/results/others/days_between.ts';
import { liftsInWords } from '../../src/page/results/others/lifts_words.ts';
import { api, everyone, makeGate, testPage, unique, visit } from './browser.ts';
import { dayAgo, learnedOf, liftsOf } from './lifts_fixture.ts';
import { goodResult, resultOf } from './results_fixture.ts';

const dayLength = 86_400_000;
const verdict = (page: Page) => page.locator('.verdict-line');
const row = (page: Page, name: string) =>
  page.getByRole('row').filter({ hasText: name }).first().innerText();

describe('the words of smaller results', () => {
  const sentence = (edits: Partial<Lifts>) => liftsInWords(liftsOf(edits), 'Passing').sentence;

  test('lifts name the metrics that count, the worse ones first', () => {
    const worse = goodResult({ metricName: 'Refunds', directionality: 'decrease' });
    expect([
      sentence({ ds: null }),
      sentence({ monitoringMetrics: [] }),
      sentence({}),
      sentence({ monitoringMetrics: [worse] }),
      sentence({ monitoringMetrics: [goodResult({ metricName: 'Revenue' }), worse] }),
      sentence({ monitoringMetrics: [resultOf()] }),
    ]).toEqual([
      'No day is loaded yet.',
      'No metric is measured. Add one in the settings.',
      'Passing is better on Revenue.',
      'Passing is worse on Refunds.',
      'Passing is worse on Refunds, and better on Revenue.',
      'No change found yet.',
    ]);
  });

  test('an autotune names its best variant, and what is missing for a winner', () => {
    const autotune = {
      decidedVariant: null,
      decisionReason: null,
      winnerThreshold: '95%' as const,
    };
    const words = (learned: Learned, edits: Partial<typeof autotune> = {}) => {
      const { sentence: first, detail } = autotuneInWords(
        { ...autotune, ...edits },
        learned,
        Date.now(),
      );
      return [first, detail];
    };
    expect(words(learnedOf(0.5, { time: null }))[0]).toBe('Waiting for the first hour.');
    expect(words(learnedOf(null))[0]).toBe('All variants look alike so far.');
    expect(words(learnedOf(0.64))).toEqual([
      'Sunny leads with 64% probability and gets 70% of the traffic.',
      'A winner is chosen from 95% on.',
    ]);
    expect(words(learnedOf(0.97))).toEqual([
      'Sunny is the best with 97% probability and gets 70% of the traffic.',
      'It has passed the threshold of 95%. The winner is chosen within the hour unless you stop it.',
    ]);
    const later = { explorationEndTime: Date.now() + dayLength };
    expect(words(learnedOf(0.97, later))[1]).toMatch(/after exploration ends/);
    const decided = autotuneInWords({ ...autotune, decidedVariant: 'Plain' }, learnedOf(0.9), 0);
    expect(decided.sentence).toBe('Plain was chosen. Everyone gets it.');
  });

  test('the chart of a holdout has at most ten days, the last one included', () => {
    const first = Date.parse('2026-01-01');
    expect(daysBetween(first, first)).toEqual(['2026-01-01']);
    for (const days of [5, 10, 11, 99, 400]) {
      const found = daysBetween(first, first + days * dayLength);
      expect(found.length).toBeLessThanOrEqual(10);
      expect(found.at(-1)).toBe(new Date(first + days * dayLength).toISOString().slice(0, 10));
      expect((found[0] ?? '') >= '2026-01-01').toBe(true);
    }
  });
});

async function makeMetric() {
  const [name, type] = [unique('Orders'), 'event_count_custom'];
  await api('POST', 'metrics', { name, type, metricEvents: [{ name, type: 'count' }] });
  return { name, type };
}

describe('results of gates, holdouts and autotunes', () => {
  testPage('a measured rule has the lifts of the units that pass', async () => {
    const metric = await makeMetric();
    const { id } = await makeGate({
      measureMetricLifts: true,
      monitoringMetrics: [metric],
      rules: [{ ...everyone(50), id: 'half' }],
    });
    const units = Array.from({ length: 200 }, (_, index) => `${id}-${index}`);
    const time = Date.now(); // after the start of the measurement
    await api('POST', 'exposures', {
      exposures: units.map((unit, index) => ({
        ...{ kind: 'gate', id, unitType: 'userID', unit, time },
        group: index % 2 === 0 ? 'half:on' : 'half:off',
      })),
    });
    await api('POST', 'events', {
      events: units
        .filter((_, index) => index % 2 === 0 || index % 3 === 0)
        .map((userID) => ({ name: metric.name, userID, timestamp: time })),
    });
    const page = await visit(`/gates/${id}/results`);
    await page.getByText('No day is loaded yet.').waitFor();
    await page.getByRole('button', { name: 'Load again' }).click();
    await page.getByText(`Passing is better on ${metric.name}.`).waitFor();
    expect(await row(page, metric.name)).toMatch(/100[\s\S]*100/);
  });

  testPage('a gate whose rules are not measured has no tab for results', async () => {
    const { id } = await makeGate({ rules: [everyone(50)] });
    const page = await visit(`/gates/${id}`);
    const tabs = page.getByRole('navigation', { name: 'Sections' });
    await tabs.getByRole('link', { name: 'Overrides' }).waitFor();
    expect(await tabs.getByRole('link', { name: 'Results' }).count()).toBe(0);
  });

  testPage('a holdout has its cumulative lift over time, with a table of the days', async () => {
    const { id } = await api('POST', 'holdouts', { name: unique('Holdout'), passPercentage: 2 });
    const page = await visit('/');
    const dates: (string | null)[] = [];
    await page.route(`**/holdouts/${id}/pulse_results*`, (route) => {
      const date = new URL(route.request().url()).searchParams.get('date');
      if (date) dates.push(date);
      return route.fulfill({ json: { message: '', data: liftsOf(date ? { ds: date } : {}) } });
    });
    await page.goto(`/holdouts/${id}/results`);
    await page.getByRole('group', { name: /^Cumulative lift of Revenue/ }).waitFor();
    expect(await verdict(page).innerText()).toBe('Everything launched is better on Revenue.');
    expect([dates.length, dates.at(-1)]).toEqual([10, dayAgo(1)]);
    await page.getByRole('button', { name: 'Show as table' }).click();
    expect(await page.getByRole('region', { name: 'holdout' }).getByRole('row').count()).toBe(11);
  });

  testPage('a holdout without results has no empty box', async () => {
    const { id } = await api('POST', 'holdouts', { name: unique('Holdout'), passPercentage: 2 });
    const page = await visit(`/holdouts/${id}/results`);
    await page.getByText('No day is loaded yet.').waitFor();
    expect(await page.locator('main .box:visible').count()).toBe(0);
  });

  testPage(
    'an autotune has its probabilities and traffic by hour, read with arrow keys',
    async () => {
      const { id } = await api('POST', 'autotunes', {
        name: unique('Autotune'),
        successEvent: 'click',
        explorationWindow: '24hr',
        attributionWindow: '1hr',
        winnerThreshold: '95%',
        variants: ['Sunny', 'Plain'].map((name) => ({ name, json: {}, size: 50 })),
      });
      await api('PUT', `autotunes/${id}/start`);
      const page = await visit('/');
      await page.route(`**/autotunes/${id}/results*`, (route) =>
        route.fulfill({ json: { message: '', data: learnedOf(0.96) } }),
      );
      await page.goto(`/autotunes/${id}`);
      await verdict(page).waitFor();
      expect(await verdict(page).innerText()).toBe(
        'Sunny is the best with 96% probability and gets 70% of the traffic.',
      );
      const graph = page.getByRole('group', { name: /^Probability of being best/ });
      await graph.focus();
      await page.keyboard.press('End');
      expect(await graph.getByRole('status').innerText()).toContain('A Sunny: 96%');
      const traffic = page.getByRole('group', { name: /^Traffic by hour/ });
      await traffic.focus();
      await page.keyboard.press('Home');
      expect(await traffic.getByRole('status').innerText()).toContain('B Plain: 30%');
      expect(await row(page, 'Sunny')).toContain('6%');
    },
  );
});
