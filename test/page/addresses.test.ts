import { describe, expect } from 'vitest';
import {
  accepted,
  button,
  closed,
  go,
  makeGate,
  openedBy,
  testPage,
  unique,
  visit,
} from './browser.ts';

describe('addresses', () => {
  testPage('Back restores the list that was left', async () => {
    await Promise.all(Array.from({ length: 30 }, () => makeGate()));
    const page = await visit('/gates', { height: 500 });
    const link = page.locator('.cell-link').nth(20);
    await link.scrollIntoViewIfNeeded();
    const before = Number(await page.evaluate('scrollY'));
    expect(before).toBeGreaterThan(300);
    await link.click();
    await page.locator('.tabs').waitFor();
    expect(await page.evaluate('scrollY')).toBe(0);
    expect(await page.locator('main:focus').count()).toBe(1);
    await page.goBack();
    await page.locator('.table').waitFor();
    await expect.poll(() => page.evaluate('scrollY')).toBe(before);
  });

  testPage('changes of the search appear in the address', async () => {
    const { name } = await makeGate();
    const page = await visit('/gates');
    const field = page.getByRole('searchbox');
    await field.fill(name);
    await page.waitForURL('**/gates?search=*');
    await page.getByRole('link', { name: 'Gates', exact: true }).first().click();
    await expect.poll(() => field.inputValue()).toBe('');
    expect(new URL(page.url()).search).toBe('');
    await page.goBack();
    await expect.poll(() => field.inputValue()).toBe(name);
    await expect.poll(() => page.locator('.row-of').count()).toBe(1);
  });

  testPage('Ctrl+click opens a link in a new tab', async () => {
    const page = await visit('/segments');
    const link = page.getByRole('link', { name: 'Gates' });
    await openedBy(page, () => link.click({ modifiers: ['ControlOrMeta'] }), '/gates');
    expect(new URL(page.url()).pathname).toBe('/segments');
  });

  testPage('opening the current page again adds no history entry', async () => {
    const page = await visit('/segments');
    const link = page.getByRole('link', { name: 'Gates' });
    await link.click();
    await link.click();
    await page.goBack();
    await page.getByRole('heading', { name: /^Segments/, level: 1 }).waitFor();
  });

  testPage('entities with any ID and trailing slashes open', async () => {
    const { id } = await makeGate({ id: `${unique('50').replaceAll(' ', '_')}.a-b` });
    const page = await visit('/segments');
    await page.goto(`/gates/${encodeURIComponent(id)}/history/`);
    await page.getByRole('heading', { name: /^Gate/, level: 1 }).waitFor();
    await page.getByText('version 1').waitFor();
  });

  testPage('unknown addresses display "Page not found"', async () => {
    const { id } = await makeGate();
    const page = await visit(`/gates/${id}/ruels`);
    const title = (name: string) => page.getByRole('heading', { name, level: 1 }).waitFor();
    await title('Page not found');
    for (const path of [
      '/nowhere',
      '/gates/%E0%A4',
      `/gates/${id}/history/more`,
      '/tags/a/used_by',
      '/company/history/anything',
      '/company/used_by',
    ]) {
      await go(page, '/segments');
      await title('Segments');
      await go(page, path);
      await title('Page not found');
    }
  });

  testPage('Back closes the dialog of the page it leaves', async () => {
    const page = await visit('/segments');
    await page.getByRole('link', { name: 'Gates' }).click();
    await button(page, /^Go to/).click();
    await page.getByRole('dialog', { name: 'Go to' }).waitFor();
    await page.goBack();
    await closed(page);
    await page.getByRole('heading', { name: /^Segments/, level: 1 }).waitFor();
  });

  testPage.for(['../a/b%2Fc', '%25 50%'])(
    'a reload opens an entity with any name: %s',
    async (word) => {
      const name = unique(word);
      const page = await visit('/tags');
      await button(page, 'New tag').click();
      await page.keyboard.type(name);
      await accepted(page);
      await button(page, 'Create').click();
      const title = page.getByRole('heading', { name, level: 1 });
      await title.waitFor();
      await page.reload();
      await title.waitFor();
      await go(page, '/audit_logs?kind=tag');
      await page.getByRole('link', { name, exact: true }).click();
      await title.waitFor();
      await page.getByRole('link', { name: 'History' }).click();
      await page.getByText('version 1').waitFor();
      await page.reload();
      await title.waitFor();
      await page.getByText('version 1').waitFor();
    },
  );
});
