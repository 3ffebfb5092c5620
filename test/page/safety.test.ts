import { expect } from 'vitest';
import { rootKey } from '../../scripts/dev/variables.js';
import {
  api,
  button,
  closed,
  dock,
  everyone,
  go,
  makeGate,
  openDoor,
  signIn,
  testPage,
  unique,
  visit,
} from './browser.ts';
import { editing, review } from './editing.ts';

const markup = '<img src=x onerror="document.title=1"><script>alert(1)</script>';

testPage('markup in names is displayed as text', async () => {
  const name = unique(markup);
  const { id } = await api('POST', 'gates', {
    name,
    description: markup,
    tags: [markup],
    rules: [{ ...everyone(10), name: markup }],
  });
  await api('PATCH', `gates/${id}`, { description: `${markup} again` });
  const page = await visit(`/gates/${id}`);
  for (const part of ['', '/history', '/json', '/settings']) {
    await go(page, `/gates/${id}${part}`);
    await page.getByRole('heading', { name, level: 1 }).waitFor();
    expect(await page.locator('img, main script').count()).toBe(0);
  }
  await go(page, '/gates?sort=createdTime');
  await page.getByRole('link', { name }).waitFor();
  expect(await page.locator('img, main script').count()).toBe(0);
});

testPage('the key is not stored in the browser', async () => {
  const page = await openDoor();
  const urls: string[] = [];
  page.on('request', (request) => urls.push(request.url()));
  await signIn(page, ` ${rootKey('.')} `);
  await page.goto('/gates/employees');
  await page.locator('.rule2').first().waitFor();
  const kept: string = await page.evaluate(
    `JSON.stringify([document.cookie, { ...localStorage }, { ...sessionStorage }, document.body.outerHTML])`,
  );
  const [cookie] = await page.context().cookies();
  expect(kept).not.toContain(rootKey('.'));
  expect(urls.join()).not.toContain(rootKey('.'));
  expect(await page.evaluate('document.cookie')).toBe('');
  expect(cookie).toMatchObject({ name: 'console', httpOnly: true, sameSite: 'Strict' });
  expect(decodeURIComponent(cookie?.value ?? '')).not.toContain(rootKey('.'));
});

testPage("data that the next key can't read is hidden from it", async () => {
  const { key } = await api('POST', 'keys', { name: unique('Reader'), scopes: ['read'] });
  const secret = unique('Key of the house');
  await api('POST', 'keys', { name: secret, scopes: ['read'] });
  const page = await visit('/keys');
  await page.getByText(secret).waitFor();
  await page.context().clearCookies();
  await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
  await page.getByText('Your session has ended.').waitFor();
  await page.getByRole('dialog').getByLabel('API key').fill(key);
  await page.keyboard.press('Enter');
  await page.getByText('needs an API key with the scope admin').waitFor();
  expect(await page.getByText(secret).count()).toBe(0);
});

testPage('data of the previous key is not displayed to the next key', async () => {
  const { key } = await api('POST', 'keys', { name: unique('Reader'), scopes: ['read'] });
  const page = await visit('/keys');
  await page.locator('.row-of').first().waitFor();
  await page.getByRole('link', { name: 'Segments' }).click();
  await page.context().clearCookies();
  await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
  await signIn(page, key);
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.route('**/console/v1/keys?*', (route) => route.abort());
  await page.getByRole('link', { name: 'Settings and admin' }).click();
  await page.getByRole('link', { name: 'API keys' }).click();
  await page.getByText('No connection').waitFor();
  expect(await page.locator('.row-of').count()).toBe(0);
});

testPage('signing out clears the tab', async () => {
  const { id, name } = await makeGate();
  const page = await visit(`/gates/${id}`);
  await expect.poll(() => page.title()).toContain(name);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.locator('input[type=password]:focus').waitFor();
  expect(await page.title()).toBe('Sign in · Console');
  expect(await page.context().cookies()).toEqual([]);
});

testPage('drafts are hidden from the next key after signing out', async () => {
  const { id } = await makeGate({ description: 'As it was.' });
  const page = await visit(`/gates/${id}/settings`);
  await page.getByLabel('Description').fill('Typed by another');
  await dock(page).waitFor();
  page.once('dialog', (dialog) => dialog.dismiss());
  await page.getByRole('button', { name: 'Sign out' }).click();
  await dock(page).waitFor();
  page.once('dialog', (dialog) => dialog.accept());
  await page.getByRole('button', { name: 'Sign out' }).click();
  await signIn(page);
  await page.getByRole('heading', { level: 1 }).waitFor();
  expect(await page.getByLabel('Description').inputValue()).toBe('As it was.');
});

testPage('signing out confirms if a draft exceeds the storage', async () => {
  const { id } = await makeGate();
  const page = await visit(`/gates/${id}/settings`);
  await page.evaluate(`sessionStorage.setItem('full', 'x'.repeat(5_240_000))`);
  await page.getByLabel('Description').fill('Typed, and long. '.repeat(500));
  await page.getByText('too large to keep').waitFor();
  let asks = false;
  page.once('dialog', (dialog) => {
    asks = true;
    return dialog.dismiss();
  });
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByText('too large to keep').waitFor();
  expect(asks).toBe(true);
});

testPage('signing out confirms if the change set is not empty', async () => {
  const { page } = await editing();
  await review(page);
  await button(page, /^Add to change set/).click();
  await closed(page);
  let asks = false;
  page.once('dialog', (dialog) => {
    asks = true;
    return dialog.dismiss();
  });
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('link', { name: 'Change set' }).click();
  await page.locator('.card').waitFor();
  expect(asks).toBe(true);
});

testPage('a tab displays the key that signed in in another tab', async () => {
  const { id } = await makeGate({ description: 'As it was.' });
  const { key } = await api('POST', 'keys', { name: unique('Reader'), scopes: ['read'] });
  const page = await visit(`/gates/${id}/settings`);
  await page.getByLabel('Description').fill('Typed');
  await page.getByRole('button', { name: /^Review/ }).click();
  await page.getByLabel('Note').fill('Typed too');
  const beside = await page.context().newPage();
  await beside.goto('/');
  await beside.getByRole('button', { name: 'Sign out' }).click();
  await signIn(beside, key);
  await page.locator('.who-can', { hasText: 'read-only' }).waitFor();
  expect(await page.locator('dialog').count()).toBe(0);
  await beside.getByRole('button', { name: 'Sign out' }).click();
  await signIn(beside);
  await page.locator('.who-can', { hasText: 'read and write' }).waitFor();
  expect(await page.getByLabel('Description').inputValue()).toBe('Typed');
  await page.getByRole('button', { name: /^Review/ }).click();
  expect(await page.getByLabel('Note').inputValue()).toBe('Typed too');
});

testPage(
  'the content security policy blocks other scripts, frames, forms and origins',
  async () => {
    const page = await openDoor();
    const answer = await page.goto('/gates/some/where');
    const policy = answer?.headers()['content-security-policy'] ?? '';
    expect(policy.split('; ').sort()).toEqual([
      "base-uri 'none'",
      "connect-src 'self'",
      "default-src 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      "img-src 'self' data:",
      "require-trusted-types-for 'script'",
      "script-src 'self'",
      "style-src 'self'",
      "trusted-types 'none'",
    ]);
  },
);

testPage('a mistyped API path returns a problem and never the page', async () => {
  const page = await openDoor();
  for (const path of [
    '/console/v1/gate',
    '/console/nowhere',
    '/ofrep/v1/x',
    '/v1/x',
    '/problems/x',
  ]) {
    const response = await page.request.get(path, { headers: { 'SERVICE-API-KEY': rootKey('.') } });
    expect([path, response.status()]).toEqual([path, 404]);
  }
});
