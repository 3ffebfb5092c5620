import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { openTab, testPage, visit } from './browser.ts';

const markOf = (page: Page) => page.locator('.mark-sign').first().boundingBox();

/** Delays the page's script. */
async function holdScript(page: Page): Promise<() => void> {
  let letIn = () => {};
  const held = new Promise<void>((resolve) => {
    letIn = resolve;
  });
  await page.route('**/page/main.js', async (route) => {
    await held;
    await route.continue();
  });
  return letIn;
}

describe('the static frame', () => {
  testPage('has the logo at its final place, signed in or not', async () => {
    for (const [width, height] of [
      [1280, 860],
      [390, 844],
    ] as const)
      for (const page of [await visit('/gates', { width, height }), await openTab()]) {
        await page.setViewportSize({ width, height });
        const letIn = await holdScript(page);
        await page.goto('/gates', { waitUntil: 'commit' });
        await expect.poll(() => page.evaluate('document.styleSheets.length')).toBeGreaterThan(0);
        await page.locator('.frame').waitFor();
        const before = await markOf(page);
        letIn();
        await page.locator('.shell, .door-form').waitFor();
        expect(await markOf(page)).toEqual(before);
      }
  });

  testPage('has the chosen theme', async () => {
    const page = await visit('/gates');
    await page.evaluate("localStorage.setItem('theme', 'dark')");
    await holdScript(page);
    await page.goto('/gates', { waitUntil: 'commit' });
    await page.locator('.frame').waitFor();
    expect(await page.locator('html').getAttribute('data-theme')).toBe('dark');
  });

  testPage('reads the session, which the script does not read again', async () => {
    const page = await visit('/gates');
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    const letIn = await holdScript(page);
    await page.goto('/gates', { waitUntil: 'commit' });
    await expect.poll(() => asked.includes('/console/session')).toBe(true);
    letIn();
    await page.locator('.shell').waitFor();
    expect(asked.filter((path) => path === '/console/session')).toHaveLength(1);
  });
});
