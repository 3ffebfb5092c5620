import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import {
  accepted,
  api,
  button,
  closed,
  dock,
  go,
  makeGate,
  openDoor,
  signIn,
  testPage,
  unique,
  visit,
} from './browser.ts';
import { openRules, review, share } from './editing.ts';

const makeKey = () => api('POST', 'keys', { name: unique('Writer'), scopes: ['read', 'write'] });

/** Deletes the session and triggers a read. */
async function loseSession(page: Page): Promise<void> {
  await page.context().clearCookies();
  await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
  await page.getByText('Your session has ended.').waitFor();
}

/** Creates a draft and an edit in the change set. */
async function typeSecrets(page: Page) {
  const [edited, aside] = [await makeGate({ description: 'As it was.' }), await makeGate()];
  await go(page, `/gates/${aside.id}/settings`);
  await page.getByLabel('Description').fill('A secret aside');
  await review(page);
  await accepted(page);
  await button(page, /^Add to change set/).click();
  await closed(page);
  await go(page, '/changes');
  await page.getByLabel('Note').fill('A secret note');
  await go(page, `/gates/${edited.id}/settings`);
  await page.getByLabel('Description').fill('A secret draft');
  await dock(page).waitFor();
  return edited;
}

/** Expects no draft of another key. */
async function seesNothing(page: Page, id: string): Promise<void> {
  await expect.poll(() => page.getByLabel('Description').inputValue()).toBe('As it was.');
  for (const path of [`/gates/${id}/settings`, '/', '/changes']) {
    await go(page, path);
    expect(await page.locator('body').innerHTML()).not.toContain('A secret');
    expect(await page.locator('.dock, .nav-draft, .nav-count').count()).toBe(0);
  }
}

describe('a draft of one key', () => {
  testPage('is hidden from another key, and displayed again to its owner', async () => {
    const [first, second] = [await makeKey(), await makeKey()];
    const page = await openDoor();
    await signIn(page, first.key);
    const { id } = await typeSecrets(page);
    await loseSession(page);
    await page.getByRole('dialog').getByLabel('API key').fill(second.key);
    await page.keyboard.press('Enter');
    await closed(page);
    await seesNothing(page, id);
    await go(page, `/gates/${id}/settings`);
    await loseSession(page);
    await page.getByRole('dialog').getByLabel('API key').fill(first.key);
    await page.keyboard.press('Enter');
    await page.locator('.nav-count', { hasText: '1' }).waitFor();
    await go(page, `/gates/${id}/settings`);
    expect(await page.getByLabel('Description').inputValue()).toBe('A secret draft');
  });

  testPage('is hidden from another key after a reload', async () => {
    const [first, second] = [await makeKey(), await makeKey()];
    const page = await openDoor();
    await signIn(page, first.key);
    const { id } = await typeSecrets(page);
    await page.context().clearCookies();
    await page.reload();
    await signIn(page, second.key);
    await seesNothing(page, id);
  });

  testPage('is hidden from another key in another tab', async () => {
    const [first, second] = [await makeKey(), await makeKey()];
    const page = await openDoor();
    await signIn(page, first.key);
    const { id } = await typeSecrets(page);
    const beside = await page.context().newPage();
    await beside.goto('/');
    await button(beside, 'Sign out').click();
    await signIn(beside, second.key);
    await page.locator('.who-name', { hasText: second.name }).waitFor();
    await seesNothing(page, id);
    await button(beside, 'Sign out').click();
    await signIn(beside, first.key);
    await page.locator('.who-name', { hasText: first.name }).waitFor();
    await go(page, `/gates/${id}/settings`);
    expect(await page.getByLabel('Description').inputValue()).toBe('A secret draft');
    await go(page, '/changes');
    expect(await page.getByLabel('Note').inputValue()).toBe('A secret note');
  });

  testPage('is kept when the same key signs in again', async () => {
    const { key } = await makeKey();
    const page = await openDoor();
    await signIn(page, key);
    await typeSecrets(page);
    await loseSession(page);
    await page.getByRole('dialog').getByLabel('API key').fill(key);
    await page.keyboard.press('Enter');
    await closed(page);
    expect(await page.getByLabel('Description').inputValue()).toBe('A secret draft');
    await page.locator('.nav-count', { hasText: '1' }).waitFor();
  });
});

describe('Escape in a dialog', () => {
  testPage('confirms before input is lost, on every press', async () => {
    const page = await visit('/gates');
    await button(page, 'New gate').click();
    const name = page.getByRole('dialog').getByLabel('Name', { exact: true });
    await name.fill('A long name');
    const asked: string[] = [];
    let goes = false;
    page.on('dialog', (dialog) => {
      asked.push(dialog.message());
      return goes ? dialog.accept() : dialog.dismiss();
    });
    for (const times of [1, 2, 3]) {
      await page.keyboard.press('Escape');
      await expect.poll(() => asked.length).toBe(times);
      expect(await name.inputValue()).toBe('A long name');
    }
    goes = true;
    await page.keyboard.press('Escape');
    await closed(page);
    page.removeAllListeners('dialog');
    expect(asked[0]).toBe('Close? Your input will be lost.');
  });

  testPage('closes without confirmation if no input would be lost', async () => {
    const { id } = await makeGate({
      rules: [{ name: 'All', passPercentage: 10, conditions: [{ type: 'public' }] }],
    });
    const page = await visit('/gates');
    const asked: string[] = [];
    page.on('dialog', (dialog) => {
      asked.push(dialog.message());
      return dialog.dismiss();
    });
    await button(page, 'New gate').click();
    await page.keyboard.press('Escape');
    await closed(page);
    await go(page, `/gates/${id}`);
    await openRules(page);
    await share(page).fill('20');
    await review(page);
    await page.getByLabel('Note').fill('Why');
    await page.keyboard.press('Escape');
    await closed(page);
    page.removeAllListeners('dialog');
    expect(asked).toEqual([]);
  });
});
