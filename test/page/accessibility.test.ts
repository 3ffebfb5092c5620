import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { allPages, typicalPages } from '../../scripts/page/addresses.js';
import {
  accepted,
  api,
  button,
  everyone,
  go,
  makeGate,
  openDoor,
  overflow,
  testPage,
  unique,
  visit,
} from './browser.ts';
import { openRules, share } from './editing.ts';
import { learnedOf, liftsOf } from './lifts_fixture.ts';

/** All of WCAG 2.2 A and AA, and best practices. */
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Dark mode and phones check only their own rules; `AXE=all` checks all rules. */
const isThorough = process.env.AXE === 'all';
const ofColours = isThorough ? undefined : ['color-contrast'];
const ofWidth = isThorough ? undefined : ['target-size', 'scrollable-region-focusable'];

interface Violation {
  id: string;
  nodes: { html: string; target: unknown }[];
}

/** Evaluated by the debugger, because the page's policy blocks an added script. */
async function violations(page: Page, only: string[] | undefined = undefined): Promise<string[]> {
  const what = only ? { type: 'rule', values: only } : { type: 'tag', values: tags };
  const options = JSON.stringify({ runOnly: what, resultTypes: ['violations'] });
  // The page behind a dialog is checked separately, and the side bar only on the first page.
  const isFirst = new URL(page.url()).pathname === '/';
  const behind = isFirst ? 'document' : "{ exclude: ['.side'] }";
  const context = `document.querySelector('dialog[open]') ?? ${behind}`;
  const isThere = await page.evaluate('"axe" in window');
  if (!isThere) await page.evaluate(axe.source);
  const found: Violation[] = await page.evaluate(
    `axe.run(${context}, ${options}).then(({ violations }) => violations)`,
  );
  return found.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
}

async function expectNone(page: Page, what: string): Promise<void> {
  const wide = await overflow(page);
  expect.soft([what, 'light', wide, await violations(page)]).toEqual([what, 'light', 0, []]);
  await page.emulateMedia({ colorScheme: 'dark' });
  expect.soft([what, 'dark', await violations(page, ofColours)]).toEqual([what, 'dark', []]);
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 390, height: 844 });
  const aside = await overflow(page);
  expect
    .soft([what, 'phone', aside, await violations(page, ofWidth)])
    .toEqual([what, 'phone', 0, []]);
  await page.setViewportSize({ width: 320, height: 700 });
  expect([what, 320, await overflow(page)]).toEqual([what, 320, 0]);
  await page.setViewportSize({ width: 1280, height: 860 });
}

describe('accessibility of pages in light, in dark and on a phone', () => {
  testPage('axe finds no violation on any page', async () => {
    await makeGate({ tags: ['a tag that is as long as it gets', 'another one that is as long'] });
    const page = await visit('/');
    const [release] = await api('GET', 'release_pipeline_triggers?limit=1');
    const [key] = await api('GET', 'keys?limit=1');
    const looked = isThorough ? allPages : typicalPages;
    for (const path of [...looked, `/releases/${release.id}`, `/keys/${key.id}`]) {
      await go(page, path);
      await expectNone(page, path);
    }
  });

  testPage('axe finds no violation when groups are wider than the screen', async () => {
    const groups = Array.from({ length: 12 }, (_, n) => ({
      name: `Group ${n}`,
      size: n < 4 ? 9 : 8,
    }));
    const { id } = await api('POST', 'experiments', { name: unique('Wide'), groups });
    await api('PUT', `experiments/${id}/start`, {});
    const page = await visit(`/experiments/${id}/design`);
    await page.locator('.values').waitFor();
    await expectNone(page, 'twelve groups');
  });

  testPage(
    'axe finds no violation in the definition of a metric, and in values of rules',
    async () => {
      const warehouseNative = {
        funnelEvents: [{ name: 'visit' }, { name: 'purchase' }],
        funnelCalculationWindow: 2,
        metricBakeDays: 3,
      };
      const metric = await api('POST', 'metrics', {
        ...{ name: unique('Funnel'), type: 'funnel', warehouseNative },
      });
      const defaultValue = { limit: 10, texts: { a: 1 } };
      const variants = [{ name: 'B', passPercentage: 25, returnValue: { limit: 3 } }];
      const config = await api('POST', 'dynamic_configs', {
        ...{ name: unique('Config'), defaultValue },
        rules: [{ ...everyone(50), returnValue: { limit: 20, texts: {} }, variants }],
      });
      const page = await visit('/');
      await go(page, `/metrics/${encodeURIComponent(metric.id)}`);
      await page.getByText('Metric bake days').waitFor();
      await expectNone(page, 'definition');
      for (const title of ['What is measured', 'Direction and IDs', 'Outliers, window, CUPED']) {
        await page.getByRole('button', { name: `Change ${title}` }).focus();
        await page.keyboard.press('Enter');
      }
      await page.getByLabel('Lower the top').waitFor();
      await expectNone(page, 'opened definition');
      for (const part of ['', '/rules']) {
        await go(page, `/dynamic_configs/${config.id}${part}`);
        await page.locator('.values').first().waitFor();
        await expectNone(page, `values${part}`);
      }
    },
  );

  testPage('axe finds no violation in results of gates, holdouts and autotunes', async () => {
    const gate = await makeGate({ measureMetricLifts: true, rules: [everyone(50)] });
    const holdout = await api('POST', 'holdouts', { name: unique('Holdout'), passPercentage: 2 });
    const autotune = await api('POST', 'autotunes', {
      name: unique('Autotune'),
      successEvent: 'click',
      explorationWindow: '24hr',
      attributionWindow: '1hr',
      winnerThreshold: '95%',
      variants: ['Sunny', 'Plain'].map((name) => ({ name, json: {}, size: 50 })),
    });
    await api('PUT', `autotunes/${autotune.id}/start`);
    const page = await visit('/');
    await page.route('**/pulse_results*', (route) =>
      route.fulfill({ json: { message: '', data: liftsOf() } }),
    );
    await page.route('**/autotunes/*/results*', (route) =>
      route.fulfill({ json: { message: '', data: learnedOf(0.96) } }),
    );
    const charts = {
      [`/gates/${gate.id}`]: '.rule2-lift',
      [`/gates/${gate.id}/results`]: '.iv',
      [`/holdouts/${holdout.id}/results`]: '.graph',
      [`/autotunes/${autotune.id}`]: '.graph',
    };
    for (const [path, chart] of Object.entries(charts)) {
      await go(page, path);
      await page.locator(chart).first().waitFor();
      await expectNone(page, path);
    }
  });

  testPage('axe finds no violation in release previews, releases and health numbers', async () => {
    const gate = await makeGate({ rules: [everyone(50)] });
    const phases = [
      { name: 'Canary', timeIntervalMs: 3_600_000, rules: [everyone(10)] },
      { name: 'Rest', timeIntervalMs: 0, rules: [] },
    ];
    const pipeline = await api('POST', 'release_pipelines', { name: unique('Pipeline'), phases });
    const page = await visit(`/gates/${gate.id}`);
    await openRules(page);
    await page.locator('.graph').waitFor();
    await expectNone(page, 'opened rule');
    await go(page, '/releases');
    await button(page, 'New release').click();
    await page.getByLabel('Pipeline').fill(pipeline.id);
    await page.getByLabel('Gate').fill(gate.id);
    await page.getByLabel('Create anyway').waitFor();
    await expectNone(page, 'new release');
    await page.getByLabel('Create anyway').check();
    await button(page, 'Create').click();
    await page.getByRole('heading', { name: gate.id }).waitFor();
    await go(page, `/gates/${gate.id}`);
    await page.getByText('A release runs this gate.').waitFor();
    await expectNone(page, 'under release');
    const { id, groups } = await api('POST', 'experiments', { name: unique('Uneven') });
    await api('PUT', `experiments/${id}/start`, {});
    const exposures = Array.from({ length: 120 }, (_, n) => {
      const seen = { unitType: 'userID', unit: `u-${n}`, time: Date.now() };
      return { kind: 'experiment', id, group: groups[0].id, ...seen };
    });
    await api('POST', 'exposures', { exposures });
    await go(page, `/experiments/${id}/design`);
    await page.getByText('Expected share').waitFor();
    await expectNone(page, 'health');
  });

  testPage('axe finds no violation on the sign-in page', async () => {
    const page = await openDoor();
    await expectNone(page, 'the door');
    await page.getByLabel('API key').fill('wrong');
    await page.keyboard.press('Enter');
    await page.getByText('unknown, deactivated or expired').waitFor();
    await expectNone(page, 'a wrong key');
  });
});

describe('accessibility of dialogs in light, in dark and on a phone', () => {
  testPage('axe finds no violation in any dialog', async () => {
    const { id } = await makeGate({ rules: [everyone(10)], description: 'First.' });
    const page = await visit(`/gates/${id}`);
    await openRules(page);
    await page.keyboard.press('Control+k');
    await page.keyboard.type('checkout');
    await page.getByRole('dialog').getByRole('option').first().waitFor();
    await expectNone(page, 'go to');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await button(page, 'Disable …').click();
    await accepted(page);
    await expectNone(page, 'disable');
    await page.keyboard.press('Escape');
    await share(page).fill('50');
    await expectNone(page, 'the dock');
    await button(page, /^Review/).click();
    await accepted(page);
    await page.getByText('As a request').click();
    await expectNone(page, 'review');
    await page.keyboard.press('Escape');
    await api('PATCH', `gates/${id}`, { rules: [everyone(20)] });
    await button(page, /^Review/).click();
    await page.getByText('saved a newer version while you were editing').waitFor();
    await page.getByText('Yours', { exact: true }).waitFor();
    await expectNone(page, 'conflict');
    await page.keyboard.press('Escape');
    await button(page, 'Discard').press('Enter');
    await button(page, 'Discard changes?').press('Enter');
    await page.getByRole('link', { name: 'History' }).click();
    await button(page, 'Restore version 1').click();
    await accepted(page);
    await expectNone(page, 'restore');
    await go(page, '/gates');
    await button(page, 'New gate').click();
    await page.keyboard.type('Employees');
    await page.getByText('This ID is in use.').waitFor();
    await expectNone(page, 'new gate');
    page.once('dialog', (question) => question.accept());
    await page.keyboard.press('Escape');
    await page.getByLabel('Select all on this page').click();
    await button(page, 'Disable …').click();
    await page.getByText('As a request').waitFor();
    await expectNone(page, 'bulk');
    await go(page, '/connections');
    await page
      .getByRole('button', { name: /^Connect …|^Change …/ })
      .first()
      .click();
    await page.getByRole('dialog').waitFor();
    await expectNone(page, 'connection');
    await page.keyboard.press('Escape');
    await page.context().clearCookies();
    await page.getByRole('link', { name: 'Gates', exact: true }).click();
    await page.getByText('Your session has ended.').waitFor();
    await expectNone(page, 'sign in again');
  });
});

testPage('focus moves to an ancestor when the focused element is removed', async () => {
  const { id } = await makeGate({ rules: [everyone(10)] });
  const page = await visit(`/gates/${id}`);
  await openRules(page);
  await share(page).fill('50');
  await button(page, 'Discard').focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.evaluate('document.activeElement.localName')).toBe('article');
});

testPage('focus stays in the list when an item is removed', async () => {
  const condition = { type: 'user_id', operator: 'any', targetValue: ['a', 'b', 'c'] };
  const { id } = await makeGate({ rules: [{ ...everyone(10), conditions: [condition] }] });
  const page = await visit(`/gates/${id}`);
  await openRules(page);
  await button(page, 'Remove b').focus();
  await page.keyboard.press('Enter');
  await button(page, 'Remove b').waitFor({ state: 'detached' });
  await page.keyboard.press('Tab');
  expect(await page.evaluate('document.activeElement.ariaLabel')).toBe('Remove a');
});
