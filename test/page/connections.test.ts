import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { accepted, api, button, closed, testPage, visit } from './browser.ts';

const redshift = (page: Page) => page.locator('.card', { hasText: 'Redshift' });

async function open(page: Page) {
  await redshift(page).getByRole('button').click();
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  return {
    dialog,
    host: dialog.getByLabel('Host', { exact: true }),
    password: dialog.getByLabel('Password', { exact: true }),
  };
}

async function save(page: Page) {
  await accepted(page);
  await button(page, 'Save').click();
  await closed(page);
}

const stored = async () => (await api('GET', 'wh_connections')).redshift;

describe('a warehouse', () => {
  testPage('is connected and changed, and keeps its hidden secret', async () => {
    await api('PATCH', 'wh_connections', { redshift: { host: '', password: '' } });
    const page = await visit('/connections');
    const { dialog, host, password } = await open(page);
    await host.fill('db.shop.example');
    await password.fill('open-sesame');
    expect(await password.getAttribute('type')).toBe('password');
    await dialog.getByText('Password: nothing → new').waitFor();
    await dialog.getByText('As a request').click();
    expect(await page.locator('body').innerText()).not.toContain('open-sesame');
    await save(page);
    expect(await stored()).toMatchObject({ host: 'db.shop.example', password: '<PASSWORD>' });
    await redshift(page).getByText('hidden').waitFor();

    const again = await open(page);
    expect(await again.password.inputValue()).toBe('');
    await again.host.fill('other.shop.example');
    await again.password.fill('typed, and taken back');
    await again.password.fill('');
    await again.dialog.getByText('Host: db.shop.example → other.shop.example').waitFor();
    expect(await again.dialog.getByText('Password:').count()).toBe(0);
    await save(page);
    expect(await stored()).toMatchObject({ host: 'other.shop.example', password: '<PASSWORD>' });

    const last = await open(page);
    await button(page, 'Remove').click();
    await last.dialog.getByText('Password: unchanged → nothing').waitFor();
    await button(page, 'Keep').click();
    await last.dialog.getByText('No changes yet').waitFor();
    await button(page, 'Remove').click();
    await save(page);
    expect((await stored()).password).toBe('');
  });

  testPage('accepts a private key of several lines', async () => {
    const key = '-----BEGIN-----\nabc\n-----END-----\n';
    await api('PATCH', 'wh_connections', { redshift: { sshPrivateKey: '' } });
    const page = await visit('/connections');
    const { dialog } = await open(page);
    const [sent] = await Promise.all([
      page.waitForRequest((request) => request.method() === 'PATCH'),
      dialog.getByLabel('SSH private key').fill(key),
    ]);
    expect(sent.postDataJSON()).toEqual({ redshift: { sshPrivateKey: key } });
    await accepted(page);
  });

  testPage('keeps concurrent changes of other properties', async () => {
    await api('PATCH', 'wh_connections', { redshift: { host: 'a', database: 'x', password: '' } });
    const page = await visit('/connections');
    const { host, password } = await open(page);
    await password.fill('typed, and taken back');
    await password.fill('');
    await host.fill('b');
    await accepted(page);
    await api('PATCH', 'wh_connections', { redshift: { database: 'y', password: 'theirs' } });
    await host.fill('c');
    await page.getByText('Host: a → c').waitFor();
    await save(page);
    expect(await stored()).toMatchObject({ host: 'c', database: 'y', password: '<PASSWORD>' });
  });

  testPage("explains that a port can't be removed", async () => {
    await api('PATCH', 'wh_connections', { redshift: { port: 5439 } });
    const page = await visit('/connections');
    const { dialog } = await open(page);
    const port = dialog.getByLabel('Port', { exact: true });
    const said = "Can't be removed.";
    expect(await port.getAttribute('aria-describedby')).toBeTruthy();
    await dialog.getByText(said).waitFor();
    await port.fill('');
    await dialog.locator('.field-error', { hasText: 'must be a whole number' }).waitFor();
    await dialog.getByText(said).waitFor();
    expect((await stored()).port).toBe(5439);
  });

  testPage('shows toggles only for booleans', async () => {
    const page = await visit('/connections');
    const switches: Record<string, string[]> = {};
    const cards = page.locator('.card', { has: page.getByRole('button') });
    await expect.poll(() => cards.count()).toBe(5);
    for (const card of await cards.all()) {
      await card.getByRole('button').click();
      const dialog = page.getByRole('dialog');
      const labels = dialog.locator('.field', { has: page.getByRole('checkbox') }).locator('label');
      switches[await dialog.getByRole('heading').innerText()] = await labels.allInnerTexts();
      await page.keyboard.press('Escape');
      await closed(page);
    }
    expect(switches).toEqual({
      Athena: ['Use catalog in query context'],
      BigQuery: [],
      Databricks: [],
      Redshift: ['Use SSH tunnel', 'Verify CA', 'Use assume role'],
      Snowflake: [],
    });
  });

  testPage('displays errors next to the field', async () => {
    const page = await visit('/connections');
    const { dialog } = await open(page);
    await dialog.getByLabel('Port', { exact: true }).fill('54x');
    await dialog.locator('.field-error', { hasText: 'must be a whole number' }).waitFor();
    expect(await button(page, 'Save').getAttribute('aria-disabled')).toBe('true');
  });
});
