import { describe, expect } from 'vitest';
import { accepted, api, button, closed, go, makeGate, testPage, unique, visit } from './browser.ts';

// The browser and this process have the same time zone.
const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();

const makeExperiment = () => api('POST', 'experiments', { name: unique('Experiment') });

describe('a time', () => {
  testPage('displays its zone', async () => {
    const { id } = await makeGate();
    const page = await visit(`/gates/${id}`);
    const title = await page.locator('time').first().getAttribute('title');
    expect(title).toMatch(/:\d\d:\d\d [AP]M (UTC|GMT|[A-Z]{3,4})/);
    const experiment = await makeExperiment();
    const startTime = Date.now() + 86_400_000;
    await api('PUT', `experiments/${experiment.id}/schedule_start`, { startTime });
    await go(page, `/experiments/${experiment.id}`);
    await page.getByText(/starts .*\d:\d\d [AP]M (UTC|GMT|[A-Z]{3,4})/).waitFor();
  });

  testPage('has an input with its zone', async () => {
    const { id } = await makeExperiment();
    const page = await visit(`/experiments/${id}`);
    await button(page, 'More').click();
    await button(page, 'Schedule …').click();
    const starts = page.getByRole('dialog').getByLabel('Starts', { exact: true });
    const zone = page.locator(`[id="${await starts.getAttribute('aria-describedby')}"]`);
    expect(await zone.innerText()).toBe(timeZone);
    await page.keyboard.press('Escape');
    const conditions = [{ type: 'time', operator: 'after', targetValue: 1_800_000_000_000 }];
    const rules = [{ name: 'Later', passPercentage: 100, conditions }];
    const gate = await makeGate({ rules });
    await go(page, `/gates/${gate.id}`);
    await page.locator('.condition', { hasText: timeZone }).waitFor();
  });
});

testPage('percentages and rows are formatted without line breaks', async () => {
  const { id } = await api('POST', 'holdouts', { name: unique('Holdout'), passPercentage: 6 });
  const { key } = await api('POST', 'keys', { name: unique('Reader'), scopes: ['read'] });
  const page = await visit(`/holdouts/${id}/settings`, { key });
  await page.getByText('6%', { exact: true }).waitFor();
  await page.route(`**/console/v1/holdouts/${id}`, async (route) => {
    const json = await (await route.fetch()).json();
    const headers = { 'Server-Timing': 'trips;desc="1", rows_read;desc="1"' };
    await route.fulfill({ json, headers });
  });
  await go(page, `/holdouts/${id}/json`);
  const words = page.getByText('to the database');
  expect(await words.innerText()).toBe('1\u00a0round trip to the database, 1\u00a0row\u00a0read');
});

testPage('the current side bar entry is visible at a height of 800 px', async () => {
  const page = await visit('/settings', { height: 800 });
  const isInSight = `(() => {
    const [entry, list] = ['.nav [aria-current]', '.nav'].map((place) =>
      document.querySelector(place).getBoundingClientRect());
    return entry.top >= list.top && entry.bottom <= list.bottom;
  })()`;
  for (const path of ['/settings', '/gates', '/tags', '/webhooks', '/']) {
    await go(page, path);
    expect([path, await page.evaluate(isInSight)]).toEqual([path, true]);
  }
});

describe('Ctrl+Enter', () => {
  testPage('saves a new entity', async () => {
    const name = unique('Gate');
    const page = await visit('/gates');
    await button(page, 'New gate').click();
    await page.getByLabel('Name', { exact: true }).fill(name);
    await accepted(page);
    await page.getByLabel('Description').focus();
    await page.keyboard.press('Control+Enter');
    await page.getByRole('heading', { name, level: 1 }).waitFor();
  });

  testPage('saves an action', async () => {
    const { id } = await makeGate();
    const page = await visit(`/gates/${id}`);
    await button(page, 'Disable …').click();
    await accepted(page);
    await page.keyboard.press('Control+Enter');
    await closed(page);
    expect(await api('GET', `gates/${id}`)).toMatchObject({ status: 'Disabled' });
  });

  testPage('adds the typed word to a list first', async () => {
    const page = await visit('/keys');
    await button(page, 'New API key').click();
    const dialog = page.getByRole('dialog');
    const name = unique('Key');
    await dialog.getByLabel('Name', { exact: true }).fill(name);
    await dialog.getByLabel('Type', { exact: true }).selectOption('SERVER');
    await accepted(page);
    await dialog.getByLabel('Environments').fill('staging');
    await page.keyboard.press('Control+Enter');
    await button(page, 'Remove staging').waitFor();
    await accepted(page);
    await page.keyboard.press('Control+Enter');
    await page.getByText('shown this once').or(page.locator('.secret')).first().waitFor();
    const keys: { name: string }[] = await api('GET', 'keys?limit=100');
    expect(keys.find((key) => key.name === name)).toMatchObject({ environments: ['staging'] });
  });
});

testPage('Go to lists the page with the typed name first', async () => {
  await makeGate({ name: unique('Settings and admin') });
  const page = await visit('/');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('settings and admin');
  await page
    .getByRole('option', { name: /Settings and admin \d/ })
    .first()
    .waitFor();
  expect(await page.getByRole('option').first().innerText()).toMatch(/^Settings and admin\s+page$/);
  await page.keyboard.press('Enter');
  await closed(page);
  expect(new URL(page.url()).pathname).toBe('/settings');
});
