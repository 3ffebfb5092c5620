import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { drawn, openTab, origin, overflow, testPage } from './browser.ts';

const document = JSON.parse(readFileSync('src/assets/console/v1/openapi.json', 'utf8'));

const operations = Object.entries<object>(document.paths).flatMap(([path, methods]) =>
  Object.keys(methods)
    .filter((key) => key !== 'parameters')
    .map((method) => `${method.toUpperCase()} ${path}`),
);

/** One path of the document, because opening all takes seconds. */
const ofOneGate = {
  ...document,
  paths: { '/console/v1/gates/{id}': document.paths['/console/v1/gates/{id}'] },
};

async function openDocs(page: Page) {
  await page.goto('/docs');
  await page.getByRole('heading', { name: 'Console API', level: 1 }).waitFor();
  await page.locator('.opblock-tag').first().waitFor();
}

/** Opens all groups of operations. */
async function unfold(page: Page) {
  await page.evaluate(
    "document.querySelectorAll('.opblock-tag[data-is-open=false]').forEach((group) => group.click())",
  );
  await page.locator('.opblock').first().waitFor();
}

/** The page renders only visible operations. */
const onScreen = (page: Page): Promise<string[]> =>
  page.evaluate(`[...document.querySelectorAll('.opblock-summary')].map((summary) =>
    summary.querySelector('.opblock-summary-method').textContent + ' ' +
    summary.querySelector('.opblock-summary-path').dataset.path)`);

async function scroll(page: Page) {
  await page.evaluate('scrollBy(0, innerHeight)');
  await drawn(page);
}

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

async function tryOut(page: Page, status: string): Promise<string | null> {
  await unfold(page);
  const operation = page.locator('#operations-essentials-get_gates_id');
  while ((await operation.count()) === 0) await scroll(page);
  await operation.locator('.opblock-summary').click();
  await operation.getByPlaceholder('id', { exact: true }).fill('employees');
  await operation.getByRole('button', { name: 'Execute' }).click();
  const answer = operation.locator('.live-responses-table');
  await answer.getByText(status, { exact: true }).first().waitFor();
  return answer.textContent();
}

testPage(
  'the reference lists every operation, supports dark mode, runs a request and contacts no other server',
  async () => {
    const page = await openTab();
    const urls: string[] = [];
    page.on('request', (request) => urls.push(request.url()));
    await openDocs(page);
    await unfold(page);
    expect([...(await readThrough(page))].sort()).toEqual(operations.sort());
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.locator('html.dark-mode').waitFor();
    await page.setViewportSize({ width: 320, height: 860 });
    expect(await overflow(page)).toBe(0);
    await page.setViewportSize({ width: 1280, height: 860 });
    await page.evaluate('scrollTo(0, 0)');
    expect(await tryOut(page, '200')).toContain('"id": "employees"');
    const foreign = urls.filter((url) => !url.startsWith(`${origin}/`));
    expect(foreign.filter((url) => !url.startsWith('data:'))).toEqual([]);
    expect(urls.some((url) => url.endsWith('/console/v1/openapi.json'))).toBe(true);
  },
);

testPage('the reference folds its groups, and leads back to the console', async () => {
  const page = await openTab();
  await openDocs(page);
  const groups = await page.locator('.opblock-tag').count();
  expect(groups).toBeGreaterThan(10);
  expect(await page.locator('.opblock').count()).toBe(0);
  const colors =
    "[getComputedStyle(document.body).backgroundColor, getComputedStyle(document.querySelector('.opblock-tag')).fontFamily]";
  const [ground, font] = await page.evaluate<string[]>(colors);
  await page.getByRole('link', { name: 'Console', exact: true }).click();
  await page
    .getByRole('button', { name: 'Sign out' })
    .or(page.getByLabel('API key'))
    .first()
    .waitFor();
  expect(new URL(page.url()).pathname).toBe('/');
  const [own, ownFont] = await page.evaluate<string[]>(
    '[getComputedStyle(document.body).backgroundColor, getComputedStyle(document.body).fontFamily]',
  );
  expect([ground, font]).toEqual([own, ownFont]);
});

testPage('the reference sends no invalid key', async () => {
  const page = await openTab();
  const keys: (string | undefined)[] = [];
  await page.route('**/openapi.json', (route) => route.fulfill({ json: ofOneGate }));
  await page.route('**/console/v1/{company,gates/employees}', async (route) => {
    const key = route.request().headers()['service-api-key'];
    if (route.request().url().endsWith('/gates/employees')) keys.push(key);
    await (key === 'console-local' ? route.fulfill({ status: 401, body: '{}' }) : route.continue());
  });
  await openDocs(page);
  await tryOut(page, '401');
  expect(keys).toEqual([undefined]);
});
