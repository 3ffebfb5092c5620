import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { accepted, api, button, closed, everyone, makeGate, testPage, visit } from './browser.ts';

const share = (page: Page) => page.getByLabel('Percent that pass rule 1', { exact: true });
const review = (page: Page) => button(page, /^Review/).click();
const save = (page: Page) => button(page, /^Save/).click();

/** Opens a gate on which a tenth of everyone passes, and types another share. */
async function editing(to = '50') {
  const gate = await makeGate({ rules: [everyone(10)] });
  const page = await visit(`/gates/${gate.id}`);
  await share(page).fill(to);
  return { gate, page };
}

describe('what something before the server answers', () => {
  testPage.for([500, 502, 504])('is said once, and may pass: %i', async (status) => {
    const { page } = await editing();
    await page.route('**/console/v1/**', (route) => route.fulfill({ status, body: '<p>No.</p>' }));
    await review(page);
    await page.getByRole('dialog').getByText(`The server answered ${status}`).waitFor();
    expect(await page.getByText(`The server answered ${status}`).count()).toBe(1);
    await page.unroute('**/console/v1/**');
    await button(page, 'Try again').click();
    await accepted(page);
  });

  testPage('is none of its answers, although it says 200', async () => {
    const { gate, page } = await editing();
    const body = '<p>Please sign in to this network.</p>';
    await page.route('**/console/v1/**', (route) => route.fulfill({ body }));
    await review(page);
    const dialog = page.getByRole('dialog');
    await dialog.getByText("The answer was none of this server's.").waitFor();
    await page.unroute('**/console/v1/**');
    await button(page, 'Try again').click();
    await accepted(page);
    await save(page);
    await closed(page);
    expect((await api('GET', `gates/${gate.id}`)).version).toBe(2);
  });
});
