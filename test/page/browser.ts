import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Browser,
  type BrowserContext,
  chromium,
  type Locator,
  type Page,
  type Request,
} from 'playwright-core';
import { expect, inject, test } from 'vitest';
import { rootKey } from '../../scripts/dev/variables.js';
import { findChromium, options as ofBrowser } from '../../scripts/page/chromium.js';

/** The server of this test process, which vitest numbers from 1; empty without a browser. */
export const origin = inject('origins')[Number(process.env.VITEST_POOL_ID) - 1] ?? '';

/** Skipped without Chromium. */
export const testPage = test.skipIf(!origin);

type StorageState = Awaited<ReturnType<BrowserContext['storageState']>>;

let browser: Promise<Browser> | undefined;
/** The tab with the root key, shared by the tests. */
let shared: Page | undefined;
const contexts: BrowserContext[] = [];
/** The unanswered requests of each context, without those for whole pages. */
const unanswered = new WeakMap<BrowserContext, Set<Request>>();
/** Errors and warnings in the browser's console. */
const complaints: string[] = [];

/** Closes all tabs except the shared one. */
async function tidy(tab: Page): Promise<void> {
  const others = tab
    .context()
    .pages()
    .filter((page) => page !== tab);
  await Promise.all(others.map((page) => page.close()));
  await tab.unrouteAll({ behavior: 'ignoreErrors' });
  tab.removeAllListeners('request');
}

/** Closes the tabs of a test and fails if the browser logged errors. */
export async function closeContexts(hasFailed: boolean): Promise<void> {
  if (shared && hasFailed) {
    contexts.push(shared.context());
    shared = undefined;
  }
  if (shared) await tidy(shared);
  await Promise.all(contexts.splice(0).map((context) => context.close()));
  const found = complaints.splice(0);
  expect(found).toEqual([]);
}

/** Calls the API, by default with the root key, and returns `data`. */
export async function api(method: string, path: string, body?: object, headers: object = {}) {
  const response = await fetch(`${origin}/console/v1/${path}`, {
    method,
    headers: { 'SERVICE-API-KEY': rootKey('.'), 'Content-Type': 'application/json', ...headers },
    body: body === undefined ? null : JSON.stringify(body),
  });
  const answer = JSON.parse(await response.text());
  expect(response.status, JSON.stringify(answer)).toBeLessThan(300);
  return answer.data;
}

let count = 0;
export const unique = (name: string) => `${name} ${process.pid} ${++count}`;

export const everyone = (passPercentage: number) => ({
  name: 'A share of everyone',
  passPercentage,
  conditions: [{ type: 'public' }],
});

export const makeGate = (body: object = {}) =>
  api('POST', 'gates', { name: unique('Gate'), ...body });

interface Options {
  key?: string;
  width?: number;
  height?: number;
  scheme?: 'light' | 'dark';
}

/** Browsers log unsuccessful responses. */
const isExpected = (text: string) => /Failed to load resource/.test(text);

const sessions = new Map<string, StorageState>();

const looksOf = ({ width = 1280, height = 860, scheme = 'light' }: Options) => ({
  viewport: { width, height },
  colorScheme: scheme,
});

function watchRequests(context: BrowserContext): void {
  const requests = new Set<Request>();
  unanswered.set(context, requests);
  context.on('request', (request) => request.isNavigationRequest() || requests.add(request));
  context.on('requestfinished', (request) => requests.delete(request));
  context.on('requestfailed', (request) => requests.delete(request));
}

async function openTabOf(options: Options, storageState?: StorageState): Promise<Page> {
  browser ??= chromium.launch({ ...ofBrowser, executablePath: findChromium() });
  const context = await (await browser).newContext({
    baseURL: origin,
    ...looksOf(options),
    reducedMotion: 'reduce',
    ...(storageState && { storageState }),
  });
  watchRequests(context);
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    const isBad = message.type() === 'error' || message.type() === 'warning';
    if (isBad && !isExpected(message.text())) complaints.push(message.text());
  });
  return page;
}

async function openContext(options: Options, storageState?: StorageState): Promise<Page> {
  const page = await openTabOf(options, storageState);
  contexts.push(page.context());
  return page;
}

export const openTab = (): Promise<Page> => openContext({});

/** Opens the sign-in page in a new context. */
export async function openDoor(options: Options = {}): Promise<Page> {
  const page = await openContext(options);
  await page.goto('/');
  await page.getByLabel('API key').waitFor();
  return page;
}

export async function signIn(page: Page, key = rootKey('.')): Promise<void> {
  await page.getByLabel('API key').fill(key);
  await page.keyboard.press('Enter');
  await page.locator('.shell').waitFor();
}

async function sessionOf(key: string): Promise<StorageState> {
  const known = sessions.get(key);
  if (known) return known;
  const page = await openDoor();
  await signIn(page, key);
  const state = await page.context().storageState();
  sessions.set(key, state);
  return state;
}

/** Clears and returns the shared tab. A new context would take a quarter of a test's time. */
async function shareTab(options: Options): Promise<Page> {
  const session = await sessionOf(rootKey('.'));
  if (!shared) {
    shared = await openTabOf(options, session);
    return shared;
  }
  const { viewport, colorScheme } = looksOf(options);
  await shared.evaluate('localStorage.clear(); sessionStorage.clear()');
  await shared.context().clearCookies();
  await shared.context().addCookies(session.cookies);
  await shared.setViewportSize(viewport);
  await shared.emulateMedia({ colorScheme, forcedColors: null });
  return shared;
}

/** Waits for the heading; fails with the content of the page. */
const titled = (page: Page) =>
  page
    .locator('h1')
    .waitFor()
    .catch(async (cause) => {
      const shown = await page.locator('body').innerHTML();
      throw new Error(`${page.url()} has no title: ${shown.slice(0, 2000)}`, { cause });
    });

/**
 * Resets the shared page at another address by the message of another sign-in. Returns false if there is no page to
 * reset. Until then the old page may not change the address: a list adds the search text after 150 ms.
 */
const beginAnew = (path: string) => `(() => {
  const shell = document.querySelector('.shell');
  if (!shell || document.documentElement.dataset.theme !== 'auto') return false;
  return new Promise((begun) => {
    new MutationObserver((_, observer) => {
      if (shell.isConnected) return;
      observer.disconnect();
      delete history.pushState;
      delete history.replaceState;
      begun(true);
    }).observe(document.getElementById('page'), { childList: true });
    history.pushState(null, '', ${JSON.stringify(path)});
    history.pushState = history.replaceState = () => {};
    scrollTo(0, 0);
    new BroadcastChannel('session').postMessage('');
  });
})()`;

/**
 * Opens a page, by default with the root key. Resets the shared page instead of reloading it, which takes as long as a
 * test.
 */
export async function visit(path: string, options: Options = {}): Promise<Page> {
  const { key } = options;
  const page = await (key ? openContext(options, await sessionOf(key)) : shareTab(options));
  if (!(await page.evaluate(beginAnew(path)))) await page.goto(path);
  await titled(page);
  await settled(page);
  return page;
}

/** Waits for the next frame. */
export const drawn = (page: Page) =>
  page.evaluate('new Promise((shown) => requestAnimationFrame(() => setTimeout(shown)))');

const longestWait = 3000;

/**
 * Waits until everything that the page requests is shown: a click fails if its target moves during it. Goes on after 3
 * seconds, because some tests hold an answer back.
 */
async function settled(page: Page): Promise<void> {
  const end = Date.now() + longestWait;
  const requests = unanswered.get(page.context()) ?? new Set();
  const isWaiting = () =>
    Date.now() < end && [...requests].some((request) => request.frame().page() === page);
  do {
    while (isWaiting()) await sleep(10);
    await drawn(page);
  } while (isWaiting());
}

/** Opens an address like a link and waits until the page is loaded. */
export async function go(page: Page, path: string): Promise<void> {
  await page.evaluate(
    `history.pushState(null, '', ${JSON.stringify(path)}); dispatchEvent(new PopStateEvent('popstate'));`,
  );
  await drawn(page);
  await titled(page);
  await expect
    .poll(() => page.locator('.loading, [aria-busy=true]').count(), { timeout: 30_000 })
    .toBe(0);
}

/** Returns the tab that a click opens. Playwright reports `about:blank` for it, so its location is polled. */
export async function openedBy(page: Page, click: () => Promise<void>, path: string) {
  const [tab] = await Promise.all([page.context().waitForEvent('page'), click()]);
  await expect.poll(() => tab.evaluate('location.pathname')).toBe(path);
  return tab;
}

/** Returns the horizontal overflow in pixels. */
export const overflow = (page: Page) =>
  page.evaluate(
    'Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth)',
  );

const focused = `(({ textContent, ariaLabel, labels }) =>
  [textContent, ariaLabel, ...[...(labels ?? [])].map((label) => label.textContent)]
)(document.activeElement)`;

/** Presses Tab until an element with the words has the focus. */
export async function tabTo(page: Page, words: string): Promise<void> {
  for (let tabs = 0; tabs < 80; tabs++) {
    await page.keyboard.press('Tab');
    const found: (string | null)[] = await page.evaluate(focused);
    if (found.includes(words)) return;
  }
  throw new Error(`Tab does not lead to ${words}`);
}

export function counting() {
  let clicks = 0;
  return {
    clicks: () => clicks,
    async click(what: Locator) {
      clicks += 1;
      await what.click();
    },
  };
}

/** Shows values as JSON instead of a table. */
export const asJSON = async (page: Page) => {
  const views = page.getByRole('group', { name: 'Edit values as' });
  await views.getByText('JSON').click();
  await views.getByRole('button', { name: 'JSON', pressed: true }).waitFor();
};

export const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' });

/** Clicks a button that adds an item, and waits for the focus in it. */
export async function add(page: Page, name: string): Promise<void> {
  await button(page, name).click();
  await page.locator('input:focus, select:focus, textarea:focus').waitFor();
}

/** The save bar. */
export const dock = (page: Page) => page.getByRole('complementary', { name: 'Unsaved changes' });

/** Waits until the dry run succeeds. */
export const accepted = (page: Page) => page.getByText('Ready to save').waitFor();

/** Waits until no dialog is open. */
export const closed = (page: Page) => page.locator('dialog').first().waitFor({ state: 'detached' });
