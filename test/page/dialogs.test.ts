import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import {
  accepted,
  api,
  button,
  closed,
  everyone,
  makeGate,
  testPage,
  unique,
  visit,
} from './browser.ts';
import { latch } from './editing.ts';

const beside = [5, 5] as const;

const dialogs = (page: Page) => page.locator('dialog').count();

testPage('the creation form names a missing required field before the dry run', async () => {
  const page = await visit('/autotunes');
  await button(page, 'New autotune').click();
  await page.getByLabel('Name').fill(unique('Autotune'));
  await page.getByText('Success event is required').waitFor();
});

testPage('the creation form displays the generated ID, and no random one', async () => {
  const page = await visit('/gates');
  await button(page, 'New gate').click();
  const [name, said] = [page.getByLabel('Name', { exact: true }), page.locator('dialog .quiet')];
  await name.fill('日本語');
  await accepted(page);
  expect(await said.innerText()).toBe('The ID is random.');
  const latin = unique('Latin');
  await name.fill(latin);
  await page.getByText(latin.toLowerCase().replaceAll(' ', '_')).waitFor();
  expect(await said.innerText()).toMatch(/^ID: latin_/);
});

testPage('a new release requires a gate or a config, and only one', async () => {
  const phases = [{ name: 'All', timeIntervalMs: 3_600_000, rules: [everyone(100)] }];
  const pipeline = await api('POST', 'release_pipelines', { name: unique('Pipeline'), phases });
  const { id } = await api('POST', 'dynamic_configs', { name: unique('Config') });
  const page = await visit('/releases');
  await button(page, 'New release').click();
  await page.getByText('Its first phase starts now').waitFor();
  await page.getByLabel('Pipeline').fill(pipeline.id);
  await page.getByText('Gate is required').waitFor();
  await page.getByLabel('Dynamic config').fill(id);
  await accepted(page);
});

describe('a press outside a dialog', () => {
  testPage('closes it if nothing was typed', async () => {
    const page = await visit('/gates');
    await button(page, 'New gate').click();
    await page.getByRole('dialog').getByText('Name is required').waitFor();
    await page.mouse.click(...beside);
    await closed(page);
    await page.keyboard.press('Control+k');
    await page.keyboard.type('gat');
    await page.mouse.click(...beside);
    await closed(page);
  });

  testPage('ignores the second press of a double click', async () => {
    const { id } = await makeGate();
    const page = await visit(`/gates/${id}`);
    await button(page, 'Disable …').dblclick();
    await accepted(page);
    expect(await dialogs(page)).toBe(1);
  });

  testPage('keeps it open if something was typed', async () => {
    const page = await visit('/gates');
    await button(page, 'New gate').click();
    await page.keyboard.type('Typed');
    await page.mouse.click(...beside);
    await accepted(page);
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Typed');
    page.once('dialog', (question) => question.accept());
    await page.keyboard.press('Escape');
    await closed(page);
  });
});

testPage('Create responds to a click while suggestions are open', async () => {
  const name = unique('Pressed');
  const page = await visit('/experiments');
  await button(page, 'New experiment').click();
  await page.keyboard.type(name);
  await accepted(page);
  await page.getByRole('combobox', { name: 'Layer' }).focus();
  await page.getByRole('listbox').waitFor();
  await button(page, 'Create').click();
  await page.getByRole('heading', { name, level: 1 }).waitFor();
});

testPage('Ctrl+K does nothing in a dialog', async () => {
  const page = await visit('/gates');
  await button(page, 'New gate').click();
  await page.keyboard.type('Typed');
  await page.keyboard.press('Control+k');
  await page.keyboard.type(' on');
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Typed on');
  expect(await dialogs(page)).toBe(1);
});

testPage('Escape closes the menu and focuses its button', async () => {
  const page = await visit('/settings', { width: 390, height: 844 });
  await page.getByLabel('Single keys').uncheck();
  await button(page, 'Open menu').click();
  await page.getByRole('link', { name: 'Segments' }).focus();
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Segments' }).waitFor({ state: 'hidden' });
  expect(await page.evaluate('document.activeElement.ariaLabel')).toBe('Open menu');
});

testPage('Escape closes the menu as soon as it is open', async () => {
  const page = await visit('/settings', { width: 390, height: 844 });
  await page.evaluate(`
    new MutationObserver((_, observer) => {
      if (!document.querySelector('.side-open')) return;
      observer.disconnect();
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
    }).observe(document.body, { attributes: true, subtree: true });
  `);
  await button(page, 'Open menu').click();
  await page.locator('.side-open').waitFor({ state: 'detached' });
});

describe('Back and reload', () => {
  /** Reloads and returns whether the browser confirmed. */
  async function asksToReload(page: Page): Promise<boolean> {
    const asks = new Promise<boolean>((resolve) => {
      page.once('dialog', (dialog) => dialog.dismiss().then(() => resolve(true)));
      page.once('load', () => resolve(false));
    });
    await page.evaluate('location.reload()');
    await asks;
    for (const event of ['dialog', 'load'] as const) page.removeAllListeners(event);
    return asks;
  }

  testPage('keep a secret that is displayed once', async () => {
    const page = await visit('/');
    await page.getByRole('link', { name: 'Settings and admin' }).click();
    await page.getByRole('link', { name: 'API keys' }).click();
    await button(page, 'New API key').click();
    await page.keyboard.type(unique('Once'));
    await accepted(page);
    await button(page, 'Create').click();
    const key = await page.locator('.secret-text').textContent();
    await page.evaluate('history.back()');
    await page.getByText('Close again to confirm.').waitFor();
    expect(await page.locator('.secret-text').textContent()).toBe(key);
    expect(new URL(page.url()).pathname).toBe('/keys');
    expect(await asksToReload(page)).toBe(true);
    await button(page, "I've saved it").click();
    await closed(page);
    await page.waitForURL(/\/keys\/./);
    await page.evaluate('history.back()');
    await page.waitForURL(/\/keys$/);
    expect(await asksToReload(page)).toBe(false);
  });

  testPage('keep a secret whose response is pending', async () => {
    const body = { name: unique('Rotated'), type: 'CONSOLE', scopes: ['read'] };
    const { id } = await api('POST', 'keys', body);
    const page = await visit('/keys');
    await page.getByRole('link', { name: body.name }).click();
    await button(page, 'Rotate …').click();
    await accepted(page);
    const held = latch();
    await page.route(`**/keys/${id}/rotate`, (route) => held.gone.then(() => route.continue()));
    await button(page, 'Rotate').click();
    await button(page, /^Saving/).waitFor();
    await page.evaluate('history.back()');
    expect(await asksToReload(page)).toBe(true);
    held.letGo();
    expect(await page.locator('.secret-text').textContent()).toMatch(/^console-/);
  });

  testPage('keep typed input', async () => {
    const page = await visit('/');
    await page.getByRole('link', { name: 'Gates' }).first().click();
    await button(page, 'New gate').click();
    await page.keyboard.type('Typed');
    await page.evaluate('history.back()');
    expect(await asksToReload(page)).toBe(true);
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Typed');
    page.once('dialog', (question) => question.accept());
    await page.keyboard.press('Escape');
    await closed(page);
    await page.evaluate('history.back()');
    await page.waitForURL(/\/$/);
  });
});
