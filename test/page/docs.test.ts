import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect, inject } from 'vitest';
import { openTab, testPage } from './browser.ts';

const { paths } = JSON.parse(readFileSync('src/assets/console/v1/openapi.json', 'utf8'));

/** Every operation of the document: `GET /console/v1/gates`. */
const operations = Object.entries<object>(paths).flatMap(([path, methods]) =>
  Object.keys(methods)
    .filter((key) => key !== 'parameters')
    .map((method) => `${method.toUpperCase()} ${path}`),
);

/** Opens the reference, and notes each request that it makes. */
async function openDocs() {
  const page = await openTab();
  const urls: string[] = [];
  page.on('request', (request) => urls.push(request.url()));
  await page.goto('/docs');
  await page.getByRole('heading', { name: 'Console API', level: 1 }).waitFor();
  await page.locator('.opblock').first().waitFor();
  return { page, urls };
}

/** The operations that are on the screen: the page has no others at a time. */
const onScreen = (page: Page): Promise<string[]> =>
  page.evaluate(`[...document.querySelectorAll('.opblock-summary')].map((summary) =>
    summary.querySelector('.opblock-summary-method').textContent + ' ' +
    summary.querySelector('.opblock-summary-path').dataset.path)`);

/** Goes on by a screen, and waits until that is drawn. */
async function scroll(page: Page) {
  await page.evaluate('scrollBy(0, innerHeight)');
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done)))');
}

/** All operations that are seen on the way from the top to the end. */
async function readThrough(page: Page): Promise<Set<string>> {
  const shown = new Set<string>();
  const isAtEnd = 'scrollY + innerHeight >= document.documentElement.scrollHeight - 1';
  for (let isOver = false; !isOver; ) {
    for (const title of await onScreen(page)) shown.add(title);
    isOver = await page.evaluate(isAtEnd);
    await scroll(page);
  }
  return shown;
}

/** Asks for a gate of the sample, and answers what the reference shows of that. */
async function tryOut(page: Page): Promise<string | null> {
  const operation = page.locator('#operations-essentials-get_gates_id');
  while ((await operation.count()) === 0) await scroll(page);
  await operation.locator('.opblock-summary').click();
  await operation.getByPlaceholder('id', { exact: true }).fill('employees');
  await operation.getByRole('button', { name: 'Execute' }).click();
  const answer = operation.locator('.live-responses-table');
  await answer.getByText('200', { exact: true }).waitFor();
  return answer.textContent();
}

// One test, as the reference takes seconds of the processor to open.
testPage('the reference has every operation, tries one, and asks nobody else', async () => {
  const { page, urls } = await openDocs();
  expect([...(await readThrough(page))].sort()).toEqual(operations.sort());
  await page.evaluate('scrollTo(0, 0)');
  expect(await tryOut(page)).toContain('"id": "employees"'); // with the local key
  const foreign = urls.filter((url) => !url.startsWith(`${inject('origin')}/`));
  expect(foreign.filter((url) => !url.startsWith('data:'))).toEqual([]);
  expect(urls.some((url) => url.endsWith('/console/v1/openapi.json'))).toBe(true);
});
