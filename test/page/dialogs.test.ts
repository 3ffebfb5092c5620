import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { accepted, button, closed, makeGate, testPage, visit } from './browser.ts';

/** A place beside every dialog. */
const beside = [5, 5] as const;

const dialogs = (page: Page) => page.locator('dialog').count();

describe('a press beside a dialog', () => {
  testPage('closes it where nothing is typed, or only looked for', async () => {
    const page = await visit('/gates');
    await button(page, 'New gate').click();
    await page.getByRole('dialog').waitFor();
    await page.mouse.click(...beside);
    await closed(page);
    await page.keyboard.press('Control+k');
    await page.keyboard.type('gat');
    await page.mouse.click(...beside);
    await closed(page);
  });

  testPage('is none of a double click on what opens it', async () => {
    const { id } = await makeGate();
    const page = await visit(`/gates/${id}`);
    await button(page, 'Disable …').dblclick();
    await accepted(page);
    expect(await dialogs(page)).toBe(1);
  });
});
