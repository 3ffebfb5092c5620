import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import {
  accepted,
  api,
  button,
  closed,
  dock,
  drawn,
  everyone,
  go,
  makeGate,
  testPage,
  unique,
  visit,
} from './browser.ts';
import { editing, review, save } from './editing.ts';

/** Applies the next change of a page, but drops or replaces its response. */
async function loseAnswer(page: Page, answer?: { status: number; body: string }): Promise<void> {
  let isLost = false;
  await page.route(/\/console\/v1\/[^?]*$/, async (route) => {
    if (isLost || route.request().method() === 'GET') return route.continue();
    isLost = true;
    const headers = { ...route.request().headers(), 'sec-fetch-site': 'same-origin' };
    const done = await route.fetch({ headers });
    expect(done.ok(), await done.text()).toBe(true);
    await (answer ? route.fulfill(answer) : route.abort());
  });
}

const unknown = (page: Page) => page.getByText('May have been saved').waitFor();

describe('a change whose response is lost', () => {
  testPage('reports an unknown outcome, and no conflict if it was saved', async () => {
    const { gate, page } = await editing();
    await review(page);
    await accepted(page);
    await loseAnswer(page);
    await save(page);
    await unknown(page);
    expect(await page.getByText('Not saved').count()).toBe(0);
    await button(page, 'Try again').click();
    await page.getByText('Already saved.').waitFor();
    await closed(page);
    await dock(page).waitFor({ state: 'detached' });
    expect(await api('GET', `gates/${gate.id}`)).toMatchObject({ version: 2 });
  });

  testPage('is sent again unchanged if it is idempotent', async () => {
    const name = unique('Sent again');
    const page = await visit('/gates');
    await button(page, 'New gate').click();
    await page.getByRole('dialog').getByLabel('Name').fill(name);
    await accepted(page);
    await loseAnswer(page, { status: 502, body: '<h1>Bad gateway</h1>' });
    await button(page, 'Create').click();
    await unknown(page);
    await button(page, 'Try again').click();
    await page.getByRole('heading', { name, level: 1 }).waitFor();
    expect(await api('GET', `gates?search=${encodeURIComponent(name)}`)).toHaveLength(1);
  });

  testPage('stays unknown after other input', async () => {
    const name = unique('Typed on');
    const page = await visit('/gates');
    await button(page, 'New gate').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill(name);
    await accepted(page);
    await loseAnswer(page);
    await button(page, 'Create').click();
    await unknown(page);
    await dialog.getByLabel('Description').fill('Typed after it.');
    await dialog.getByText('This ID is in use.').waitFor();
    await unknown(page);
    expect(await page.getByText('Not saved').count()).toBe(0);
  });

  testPage('is found saved after a reload', async () => {
    const { page } = await editing();
    await review(page);
    await accepted(page);
    await loseAnswer(page);
    await save(page);
    await unknown(page);
    await page.reload();
    await dock(page).waitFor();
    await review(page);
    await page.getByText('Already saved.').waitFor();
    await closed(page);
  });
});

describe('a response from a proxy', () => {
  testPage.for([
    { status: 500, body: '<p>No.</p>' },
    { status: 502, json: { errors: [{ code: 1033, message: 'No.' }] } },
    { status: 504, json: null },
  ])('displays the error once and offers a retry: $status', async (answer) => {
    const { status } = answer;
    const { page } = await editing();
    await page.route('**/console/v1/**', (route) => route.fulfill(answer));
    await review(page);
    await page.getByRole('dialog').getByText(`The server returned status ${status}`).waitFor();
    expect(await page.getByText(`The server returned status ${status}`).count()).toBe(1);
    await page.unroute('**/console/v1/**');
    await button(page, 'Try again').click();
    await accepted(page);
  });

  testPage('is rejected if it is 200 but not JSON', async () => {
    const { gate, page } = await editing();
    const body = '<p>Please sign in to this network.</p>';
    await page.route('**/console/v1/**', (route) => route.fulfill({ body }));
    await review(page);
    const dialog = page.getByRole('dialog');
    await dialog.getByText('The response is not from this server.').waitFor();
    await page.unroute('**/console/v1/**');
    await button(page, 'Try again').click();
    await accepted(page);
    await save(page);
    await closed(page);
    expect((await api('GET', `gates/${gate.id}`)).version).toBe(2);
  });
});

describe('Ctrl+Enter', () => {
  testPage('saves nothing in a dialog below another', async () => {
    const { gate, page } = await editing();
    await review(page);
    await accepted(page);
    const stored: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'PATCH' && !request.url().includes('dryRun'))
        stored.push(request.url());
    });
    const cookies = await page.context().cookies();
    await page.context().clearCookies();
    await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
    await page.getByText('Your session has ended.').waitFor();
    await page.context().addCookies(cookies);
    await page.keyboard.press('Control+Enter');
    await drawn(page);
    expect(stored).toEqual([]);
    await button(page, 'Not now').click();
    await page.getByRole('dialog', { name: 'Sign in again' }).waitFor({ state: 'detached' });
    await page.keyboard.press('Control+Enter');
    await closed(page);
    expect(stored).toHaveLength(1);
    expect((await api('GET', `gates/${gate.id}`)).version).toBe(2);
  });

  testPage('opens no review behind a dialog', async () => {
    const { page } = await editing();
    await button(page, 'Disable …').waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog', { name: 'Go to' }).waitFor();
    await page.keyboard.press('Control+Enter');
    await drawn(page);
    expect(await page.locator('dialog').count()).toBe(1);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+Enter');
    await accepted(page);
  });
});

testPage('a bulk action reports that its entities changed in the meantime', async () => {
  const one = unique('Meanwhile');
  const made = await makeGate({ name: `${one} a` });
  const page = await visit(`/gates?search=${encodeURIComponent(one)}`);
  await page.getByLabel(`Select ${one} a`).click();
  await button(page, 'Archive …').click();
  await accepted(page);
  await api('PATCH', `gates/${made.id}`, { description: 'Meanwhile.' });
  await button(page, 'Archive').click();
  await page.getByText('It has changed; this is the newest version.').waitFor();
  await accepted(page);
  await button(page, 'Archive').click();
  await closed(page);
  expect((await api('GET', `gates/${made.id}`)).status).toBe('Archived');
});

testPage('selected rows that are deleted are no longer selected', async () => {
  const one = unique('Going');
  const made = await makeGate({ name: `${one} a` });
  const page = await visit(`/gates?search=${encodeURIComponent(one)}`);
  await page.getByLabel(`Select ${one} a`).click();
  const chosen = page.getByRole('complementary', { name: 'Selected rows' });
  await chosen.waitFor();
  await api('DELETE', `gates/${made.id}`);
  await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
  await chosen.waitFor({ state: 'detached' });
});

testPage('home displays the parts that can be read', async () => {
  const gate = await makeGate({ rules: [everyone(10)] });
  const page = await visit('/gates');
  let isDown = true;
  await page.route('**/release_pipeline_triggers?*', (route) =>
    isDown ? route.fulfill({ status: 503, body: 'down' }) : route.continue(),
  );
  await go(page, '/');
  await page.getByText('The server returned status 503.').waitFor();
  await page.getByRole('heading', { name: 'Latest changes' }).waitFor();
  await page.getByText(gate.name).first().waitFor();
  await page.getByRole('heading', { name: 'Running experiments' }).waitFor();
  isDown = false;
  await button(page, 'Try again').click();
  await page.getByText('The server returned status 503.').waitFor({ state: 'detached' });
});
