import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import {
  api,
  button,
  drawn,
  everyone,
  go,
  makeGate,
  openedBy,
  overflow,
  testPage,
  unique,
  visit,
} from './browser.ts';

/** A name of the maximum length without break opportunities. */
const long = (word: string) => `${unique(word).replaceAll(' ', '_')}_`.padEnd(100, 'Wm');
const about = 'What it is for is said at great length. '.repeat(25).trim();
const tags = Array.from({ length: 30 }, (_, index) => `tag-${index}-${'x'.repeat(index)}`);

async function makeLong(): Promise<string[]> {
  const gate = await makeGate({
    name: long('gate'),
    description: about,
    tags,
    rules: [{ ...everyone(10), name: 'R'.repeat(100) }],
  });
  const layer = await api('POST', 'layers', { name: long('layer'), description: about });
  const groups = Array.from({ length: 10 }, (_, index) => ({
    name: long(`group${index}`),
    size: 10,
    parameterValues: { [long('parameter')]: 'v'.repeat(200) },
  }));
  const experiment = await api('POST', 'experiments', {
    name: long('experiment'),
    hypothesis: `https://${long('wiki')}.example/${long('page')} ${about}`,
    groups,
    targetingGateID: gate.id,
  });
  const config = await api('POST', 'dynamic_configs', {
    name: long('config'),
    defaultValue: { [long('key')]: 'v'.repeat(300) },
  });
  const holdout = await api('POST', 'holdouts', {
    name: long('holdout'),
    gateIDs: [gate.id],
    experimentIDs: [experiment.id],
  });
  const team = await api('POST', 'teams', { name: long('team'), description: about });
  return [
    `/gates/${gate.id}`,
    `/layers/${layer.id}`,
    `/experiments/${experiment.id}`,
    `/dynamic_configs/${config.id}`,
    `/holdouts/${holdout.id}`,
    `/teams/${encodeURIComponent(team.id)}`,
  ];
}

describe('long names', () => {
  testPage('fit a phone screen on every page', async () => {
    const pages = await makeLong();
    const lists = [
      '/',
      '/gates',
      '/layers',
      '/experiments',
      '/dynamic_configs',
      '/holdouts',
      '/teams',
    ];
    const parts = ['settings', 'used_by', 'history', 'json'];
    const page = await visit('/', { width: 390, height: 844 });
    const all = [
      ...lists,
      '/audit_logs',
      ...pages.flatMap((path) => [path, ...parts.map((part) => `${path}/${part}`)]),
    ];
    for (const path of all) {
      await go(page, path);
      expect.soft([path, await overflow(page)]).toEqual([path, 0]);
    }
  });

  testPage('are shortened in lists, and complete on their own page', async () => {
    const gate = await makeGate({ name: long('gate'), description: about, tags });
    const page = await visit(`/gates?search=${gate.id}`);
    const row = page.locator('.row-of').first();
    await row.waitFor();
    expect((await row.boundingBox())?.height).toBeLessThan(90);
    await page.getByLabel(`Select ${gate.name}`).check();
    await button(page, 'Archive …').click();
    const body = page.locator('.sheet-body');
    await body.getByRole('listitem').waitFor();
    const hidden = await body.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
    expect(hidden).toBe(0);
    await button(page, 'Cancel').click();
    await row.getByRole('link', { name: gate.name }).click();
    await page.getByRole('heading', { name: gate.name }).waitFor();
    const text = page.getByText(about);
    const short = (await text.boundingBox())?.height ?? 0;
    await button(page, 'Show all').click();
    expect((await text.boundingBox())?.height).toBeGreaterThan(2 * short);
  });
});

testPage('lists fill a window of any width', async () => {
  const widths = [800, 860, 960, 1024, 1100, 1140, 1200, 1279, 1280];
  await makeLong();
  const page = await visit('/');
  for (const path of ['/gates', '/experiments', '/releases', '/events', '/keys', '/autotunes']) {
    await go(page, path);
    for (const width of widths) {
      await page.setViewportSize({ width, height: 800 });
      await drawn(page);
      expect.soft([path, width, await overflow(page)]).toEqual([path, width, 0]);
    }
  }
});

testPage('a right-to-left name does not reorder the sentence', async () => {
  const { id } = await makeGate({ name: `${unique('Turned')} שלום עולם` });
  const page = await visit('/audit_logs');
  const entry = page.locator('.entry').filter({ has: page.locator(`a[href="/gates/${id}"]`) });
  const name = await entry.getByRole('link').first().boundingBox();
  const when = await entry.locator('.entry-when').boundingBox();
  expect(when?.x).toBeGreaterThanOrEqual((name?.x ?? 0) + (name?.width ?? 0));
});

testPage('a right-to-left field does not reorder the sentence of a rule', async () => {
  const field = `around${'\u202e'}`;
  const conditions = [{ type: 'custom_field', field, operator: 'any', targetValue: [field] }];
  const { name, id } = await makeGate({
    name: unique('Sentence'),
    rules: [{ name: 'A', passPercentage: 10, conditions }],
  });
  const page = await visit(`/gates?search=${encodeURIComponent(name)}`);
  const apart = `\u2068${field}\u2069`;
  const passes = page.locator('tr').filter({ hasText: name }).locator('.bar-words');
  expect(await passes.innerText()).toBe(`10% where ${apart} is any of ${apart}`);
  await go(page, `/gates/${id}`);
  await page.getByLabel('User ID', { exact: true }).last().fill('u-1');
  await page.getByText(`${apart} is not set`).waitFor();
});

describe('an empty project', () => {
  const empty = async (page: Page): Promise<void> => {
    const pagination = { itemsPerPage: 50, pageNumber: 1, totalItems: 0 };
    const body = JSON.stringify({ message: 'Listed.', data: [], pagination });
    await page.route('**/console/v1/**', (route) =>
      route.fulfill({ body, contentType: 'application/json' }),
    );
  };

  testPage('suggests first steps', async () => {
    const page = await visit('/');
    await empty(page);
    await page.reload();
    const link = page.getByRole('link', { name: 'API reference' }).last();
    const reference = await openedBy(page, () => link.click(), '/docs');
    await reference.close();
    await page.getByRole('link', { name: 'Create a gate' }).click();
    await page.getByText('No gates yet.').waitFor();
    await button(page, 'New gate').click();
    await page.getByRole('dialog', { name: 'New gate' }).waitFor();
  });

  testPage('names resources in its empty states', async () => {
    const page = await visit('/');
    await empty(page);
    await go(page, '/keys');
    await page.getByText('No API keys yet.').waitFor();
    expect(await page.getByRole('search').count()).toBe(0);
    await go(page, '/gates');
    await page.getByLabel('Status').selectOption('Archived');
    await page.getByText('No results for these filters.').waitFor();
  });
});

testPage('all rows of a page can be selected on a phone', async () => {
  const name = unique('Chosen');
  await api('POST', 'gates', { name: `${name} first` });
  await api('POST', 'gates', { name: `${name} second` });
  const page = await visit(`/gates?search=${encodeURIComponent(name)}`, {
    width: 390,
    height: 844,
  });
  const all = page.getByLabel('Select all on this page');
  await page.getByLabel(`Select ${name} first`).click();
  expect(await page.locator('input:indeterminate').count()).toBe(1);
  await all.click();
  await page.getByText('2 gates selected').waitFor();
  await all.click();
  await page.getByText('2 gates selected').waitFor({ state: 'detached' });
});
