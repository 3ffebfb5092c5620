import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { countTicks } from '../../src/page/charts/scale.ts';
import { api, button, dock, drawn, makeGate, tabTo, testPage, unique, visit } from './browser.ts';
import { dayAgo, liftsOf } from './lifts_fixture.ts';
import { goodResult, resultOf } from './results_fixture.ts';

const hourLength = 3_600_000;

const employees = {
  id: 'employees',
  name: 'Employees first',
  passPercentage: 100,
  conditions: [{ type: 'email', operator: 'str_contains_any', targetValue: ['@shop.example'] }],
};

const dach = {
  id: 'dach',
  name: 'DACH',
  passPercentage: 25,
  conditions: [
    { type: 'country', operator: 'any', targetValue: ['DE', 'AT', 'CH'] },
    { type: 'app_version', operator: 'version_gte', targetValue: '2.8' },
  ],
};

/** Serves checks of the last 24 hours: 10 by the first rule, 20 by the second, and 70 by none, each hour. */
async function serveChecks(page: Page): Promise<void> {
  await page.route('**/checks?days=*', async (route) => {
    const days = Number(new URL(route.request().url()).searchParams.get('days'));
    const now = Math.floor(Date.now() / hourLength);
    const startTime = (now + 1 - 24 * days) * hourLength;
    const hours = Array.from({ length: 24 * days }, (_, index) => startTime + index * hourLength);
    const data = {
      startTime,
      hours: hours.flatMap((time) => [
        { time, ruleID: 'dach', checks: 20, passes: 5, fails: 15 },
        { time, ruleID: 'default', checks: 70, passes: 0, fails: 70 },
        { time, ruleID: 'employees', checks: 10, passes: 10, fails: 0 },
      ]),
    };
    await route.fulfill({ json: { message: 'Checks of one gate read successfully.', data } });
  });
}

async function visitServed(id: string) {
  const page = await visit('/gates');
  await serveChecks(page);
  await page.goto(`/gates/${id}`);
  await page.getByText('≈ 15% of checks pass').waitFor();
  return page;
}

const factsOf = (page: Page) => page.locator('.gate-facts > div').allInnerTexts();

describe('the page of a gate', () => {
  testPage('begins with four facts', async () => {
    const { id } = await makeGate({ rules: [employees, dach], type: 'TEMPORARY' });
    const page = await visitServed(id);
    await page.getByText('rules are edited directly').waitFor();
    expect((await factsOf(page)).map((text) => text.split('\n').filter(Boolean))).toEqual([
      ['Who passes', 'Employees first, and 25% of DACH', '≈ 15% of checks pass'],
      ['Checked', '2,400 times', 'in 24 hours'],
      ['Release', 'None', 'rules are edited directly'],
      ['Lifetime', 'Temporary', 'not stale'],
    ]);
  });

  testPage('claims nothing about checks and releases that could not be read', async () => {
    const { id } = await makeGate({ rules: [employees] });
    const page = await visit('/gates');
    await page.route(/\/(?:checks|release_pipeline_triggers)\?/, (route) => route.abort());
    const failed = page.waitForEvent('requestfailed', (request) =>
      request.url().includes('/release_pipeline_triggers?'),
    );
    await page.goto(`/gates/${id}`);
    await failed;
    await page.locator('.gate-facts').waitFor();
    const facts = (await factsOf(page)).map((text) => text.split('\n').filter(Boolean));
    expect(facts.slice(0, 3)).toEqual([
      ['Who passes', 'Employees first', '–'],
      ['Checked', '–', 'in 24 hours'],
      ['Release', '–'],
    ]);
  });

  testPage(
    'reads its rules as sentences, with their share and the checks they passed',
    async () => {
      const { id } = await makeGate({ rules: [employees, dach] });
      const page = await visitServed(id);
      const texts = await page.locator('.rule2').allInnerTexts();
      expect(
        texts.map((text) =>
          text
            .split(/\s*\n\s*/)
            .filter(Boolean)
            .join(' | '),
        ),
      ).toEqual([
        '1 | Rule 1: | Employees first | Email contains any of @shop.example | 100% | 240 | passed, 24 h',
        '2 | Rule 2: | DACH | Country is any of DE AT CH and App version ≥ 2.8 | 25% | 120 | passed, 24 h',
        '∗ | Everyone else | Off | 2,040 | did not pass, 24 h',
      ]);
      expect(await page.locator('.box input').count()).toBe(0);
    },
  );

  testPage('displays the measured lift in the rule, with a link to all of them', async () => {
    const { id } = await makeGate({ rules: [employees, dach], measureMetricLifts: true });
    const page = await visit('/gates');
    const asked: string[] = [];
    const monitoringMetrics = [
      goodResult({
        ...{ metricID: 'a::sum', metricName: 'Completed checkouts', percentChange: 40 },
        percentConfidenceInterval: { lower: 27, upper: 53 },
      }),
      resultOf({ metricID: 'b::sum', metricName: 'Revenue' }),
      resultOf({ metricID: 'c::sum', metricName: 'Third metric' }),
    ];
    await page.route('**/pulse_results', (route) => {
      asked.push(new URL(route.request().url()).pathname);
      const startTime = Date.parse('2026-11-02');
      return route.fulfill({
        json: { message: '', data: liftsOf({ ds: dayAgo(1), startTime, monitoringMetrics }) },
      });
    });
    await page.goto(`/gates/${id}`);
    const rule = page.locator('.rule2', { hasText: 'DACH' });
    await rule.getByText('11,964 units over 12,018 since 2 Nov.').waitFor();
    const rows = await rule.locator('.rule2-row').allInnerTexts();
    expect(rows.map((text) => text.split(/\s*\n\s*/))).toEqual([
      ['Completed checkouts', 'better,', '+40.0%'],
      ['Revenue', 'unclear,', '+5.2%'],
    ]);
    const outside = rule.getByRole('img', {
      name: '+40.0%, 95% interval +27.0% to +53.0%, better',
    });
    const bar = await outside.locator('.iv-bar').boundingBox();
    expect(bar?.width).toBeGreaterThan(10);
    expect(asked).toEqual([`/console/v1/gates/${id}/rules/dach/pulse_results`]);
    await button(page, 'Rule 2: DACH').focus();
    await tabTo(page, 'Results');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/gates/${id}/results`);
  });

  testPage('displays no lift of a rule without measured metrics', async () => {
    const { id } = await makeGate({ rules: [dach], measureMetricLifts: true });
    const page = await visit('/gates');
    const answered = page.waitForResponse(`**/gates/${id}/rules/*/pulse_results`);
    await page.goto(`/gates/${id}`);
    expect((await (await answered).json()).data.monitoringMetrics).toEqual([]);
    await page.locator('.graph').waitFor();
    await drawn(page);
    expect(await page.locator('.rule2-lift').count()).toBe(0);
  });

  testPage('opens and closes the fields of a rule in place, by keyboard', async () => {
    const { id } = await makeGate({ rules: [employees, dach] });
    const page = await visit(`/gates/${id}`);
    const rule = button(page, 'Rule 2: DACH');
    await rule.focus();
    await page.keyboard.press('Enter');
    expect(await rule.getAttribute('aria-expanded')).toBe('true');
    await page.getByLabel('Pass percentage of rule 2', { exact: true }).fill('40');
    await page.locator('.rule2', { hasText: 'DACH' }).getByText('40%', { exact: true }).waitFor();
    await dock(page).waitFor();
    await rule.focus();
    await page.keyboard.press('Enter');
    expect(await rule.getAttribute('aria-expanded')).toBe('false');
    expect(await page.locator('.box .rule input').count()).toBe(0);
  });
});

describe('the page of a gate in use', () => {
  testPage('displays its checks as bars, which a table and the arrow keys read', async () => {
    const { id } = await makeGate({ rules: [employees, dach] });
    const page = await visitServed(id);
    const chart = page.getByRole('img', {
      name: /^Checks per hour: 2,400 in 24 hours, 15% passed/,
    });
    expect(await chart.locator('.bar2').count()).toBe(48);
    await page.locator('.graph').focus();
    await page.keyboard.press('End');
    expect((await page.locator('.tip').innerText()).split('\n').slice(1)).toEqual([
      '15 passed',
      '85 did not pass',
    ]);
    await button(page, '7 d').click();
    await page.getByRole('img', { name: /^Checks per 6 hours: 16,800 in 7 days/ }).waitFor();
    await button(page, '30 d').click();
    await page.getByRole('img', { name: /^Checks per day: 72,000 in 30 days/ }).waitFor();
    await button(page, 'Show as table').click();
    expect(await page.locator('.chart-table tbody tr').count()).toBe(30);
    await button(page, 'Show as table').click();
  });

  testPage('counts no checks, or a few, in whole numbers', async () => {
    const { id } = await makeGate({ rules: [employees] });
    const page = await visit(`/gates/${id}`);
    const ticks = page.locator('.graph .tick[text-anchor="end"]');
    await ticks.first().waitFor();
    expect(await ticks.allTextContents()).toEqual(['0', '1']);
    expect([2, 3, 7, 0].map((count) => countTicks(count).at(-1))).toEqual([2, 3, 8, 1]);
    expect([1, 2, 3, 5, 11].flatMap(countTicks).every(Number.isInteger)).toBe(true);
  });

  testPage(
    'reports a release that runs it, and locks the rules that the release sets',
    async () => {
      const rule = { name: 'DACH', conditions: dach.conditions };
      const pipeline = await api('POST', 'release_pipelines', {
        name: unique('Pipeline'),
        phases: [10, 50].map((passPercentage) => ({
          name: `To ${passPercentage}`,
          timeIntervalMs: hourLength,
          rules: [{ ...rule, passPercentage }],
        })),
      });
      const { id } = await makeGate({ rules: [dach] });
      await api('POST', 'release_pipeline_triggers', {
        releasePipelineID: pipeline.id,
        gateID: id,
      });
      const page = await visit(`/gates/${id}`);
      const banner = page.getByRole('region', { name: 'Under release' });
      await banner.getByText('A release runs this gate.').waitFor();
      expect(await banner.locator('[aria-current]').innerText()).toBe('10% of DACH now');
      await page.locator('.rule2', { hasText: 'set by the release' }).waitFor();
      expect(await button(page, 'Rule 1: DACH').count()).toBe(0);
      expect(await factsOf(page)).toContainEqual(expect.stringContaining('Phase 1 of 2'));
      await button(page, 'Pause release …').click();
      await page.locator('dialog').getByText('Keeps the current rules').waitFor();
      await button(page, 'Pause').click();
      await banner.getByText('paused').waitFor();
    },
  );

  testPage('says on top of “Try it” whether a user passes, and by which rule', async () => {
    const { id } = await makeGate({ rules: [employees] });
    const page = await visit(`/gates/${id}`);
    const panel = page.getByRole('complementary', { name: 'Try it' });
    await panel.getByLabel('User ID').fill('u-1');
    await panel.getByText('Does not pass').waitFor();
    await panel.getByText('Email, environment, custom fields').click();
    await panel.getByLabel('Email').fill('ann@shop.example');
    await panel.getByText(': matched rule 1, “Employees first”.').waitFor();
    const [verdict, fields] = await Promise.all(
      ['.try-verdict', '.try-form'].map((part) => panel.locator(part).boundingBox()),
    );
    expect(verdict?.y).toBeLessThan(fields?.y ?? 0);
  });
});
