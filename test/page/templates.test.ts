import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { accepted, api, button, closed, go, testPage, unique, visit } from './browser.ts';

/** Opens a list as if it were empty. */
async function visitEmpty(path: string): Promise<Page> {
  const page = await visit('/segments');
  await page.route(`**/console/v1/${path}?*`, (route) => {
    if (route.request().method() !== 'GET') return route.continue();
    const pagination = { itemsPerPage: 50, pageNumber: 1, totalItems: 0, nextPage: null };
    return route.fulfill({ json: { message: '', data: [], pagination } });
  });
  await go(page, `/${path}`);
  return page;
}

/** Creates from the open dialog under another name, and returns the created entity. */
async function create(page: Page, path: string, name: string) {
  await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill(name);
  await accepted(page);
  await button(page, 'Create').click();
  await closed(page);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  const [made] = await api('GET', `${path}?search=${encodeURIComponent(name)}`);
  return made;
}

describe('an empty list', () => {
  testPage('of gates offers a kill switch and a rollout by country', async () => {
    const page = await visitEmpty('gates');
    await button(page, 'Kill switch').click();
    const all = await create(page, 'gates', unique('Stop'));
    expect([all.type, all.rules[0].passPercentage]).toEqual(['PERMANENT', 100]);
    const again = await visitEmpty('gates');
    await button(again, 'Country rollout').click();
    const { type, rules } = await create(again, 'gates', unique('Rollout'));
    expect([type, rules[0].passPercentage]).toEqual(['TEMPORARY', 10]);
    expect(rules[0].conditions[0]).toMatchObject({ type: 'country', targetValue: ['AT'] });
  });

  testPage('of experiments offers an A/B test of a button', async () => {
    const page = await visitEmpty('experiments');
    await button(page, 'A/B test of a button').click();
    const made = await create(page, 'experiments', unique('Button'));
    expect(made.groups.map((group: { parameterValues: object }) => group.parameterValues)).toEqual([
      { button_color: 'grey' },
      { button_color: 'green' },
    ]);
  });

  testPage('has code for a web page, into which it puts a new key', async () => {
    const page = await visitEmpty('gates');
    const code = page.locator('.snippet pre');
    await code.waitFor();
    expect(await code.innerText()).toContain('Bearer YOUR-CLIENT-KEY');
    await button(page, 'Create a client key').click();
    await accepted(page);
    await button(page, 'Create').click();
    await closed(page);
    await expect.poll(() => code.innerText()).toMatch(/Bearer client-\w+/);
    const [, key = ''] = (await code.innerText()).match(/Bearer (client-\w+)/) ?? [];
    const response = await fetch(new URL('/ofrep/v1/evaluate/flags', page.url()), {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ context: { targetingKey: 'user-1' } }),
    });
    expect(response.status).toBe(200);
  });
});
