import {
  type Browser,
  type BrowserContext,
  chromium,
  type Locator,
  type Page,
} from 'playwright-core';
import { expect, inject, test } from 'vitest';
import { rootKey } from '../../scripts/dev/variables.js';
import { findChromium, options as ofBrowser } from '../../scripts/page/chromium.js';

const origin = inject('origin');

/** Tests of the page; skipped, and counted as skipped, where there is no Chromium. */
export const testPage = test.skipIf(!origin);

type StorageState = Awaited<ReturnType<BrowserContext['storageState']>>;

/** Started by the first test that needs it; it ends with this process. */
let browser: Promise<Browser> | undefined;
/** The tab of one who is signed in with the root key, which the tests have one after another. */
let shared: Page | undefined;
const contexts: BrowserContext[] = [];
/** What the browser complained of, in all pages of a test. */
const complaints: string[] = [];

/** Leaves only the shared tab open, and nothing of the test in that but what the page has kept itself. */
async function tidy(tab: Page): Promise<void> {
  const others = tab
    .context()
    .pages()
    .filter((page) => page !== tab);
  await Promise.all(others.map((page) => page.close()));
  await tab.unrouteAll({ behavior: 'ignoreErrors' });
  tab.removeAllListeners('request');
}

/** Closes what a test has opened, in which the browser must have had nothing to complain of. */
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

/** Calls the API with a key, the root key by default, and answers what it holds. */
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
/** A name that no other test has. */
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

/** What the server refuses is said in the console too; that is no fault of the page. */
const isExpected = (text: string) => /Failed to load resource/.test(text);

/** What a browser keeps of a session, by the key that it was begun with. */
const sessions = new Map<string, StorageState>();

const looksOf = ({ width = 1280, height = 860, scheme = 'light' }: Options) => ({
  viewport: { width, height },
  colorScheme: scheme,
});

async function openTabOf(options: Options, storageState?: StorageState): Promise<Page> {
  browser ??= chromium.launch({ ...ofBrowser, executablePath: findChromium() });
  const context = await (await browser).newContext({
    baseURL: origin,
    ...looksOf(options),
    reducedMotion: 'reduce',
    ...(storageState && { storageState }),
  });
  const page = await context.newPage();
  page.setDefaultTimeout(9_000);
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

/** Opens an empty tab, in a browser that knows nothing. */
export const openTab = (): Promise<Page> => openContext({});

/** Opens the door of the page, in a browser that knows nothing. */
export async function openDoor(options: Options = {}): Promise<Page> {
  const page = await openContext(options);
  await page.goto('/');
  await page.getByLabel('API key').waitFor();
  return page;
}

/** Signs in, as a person does. */
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

/** The shared tab, with nothing kept of a test before: a context of its own would take a quarter of the time of a test. */
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

/** Waits for the title of a page; says what is shown in its place, where it does not come. */
const titled = (page: Page) =>
  page
    .locator('h1')
    .waitFor()
    .catch(async (cause) => {
      const shown = await page.locator('body').innerHTML();
      throw new Error(`${page.url()} has no title: ${shown.slice(0, 2000)}`, { cause });
    });

/**
 * Has the page that a test left begin anew at another address, by what it does when another signs in beside it: it forgets
 * all that it has read and draws itself again. Answers whether there is such a page, in the colours that it has by default.
 */
const beginAnew = (path: string) => `(() => {
  const shell = document.querySelector('.shell');
  if (!shell || document.documentElement.dataset.theme !== 'auto') return false;
  return new Promise((begun) => {
    new MutationObserver((_, observer) => {
      if (shell.isConnected) return;
      observer.disconnect();
      begun(true);
    }).observe(document.getElementById('page'), { childList: true });
    history.pushState(null, '', ${JSON.stringify(path)});
    scrollTo(0, 0);
    new BroadcastChannel('session').postMessage('');
  });
})()`;

/**
 * Opens a page of one who is signed in, with the root key by default. Where the shared tab shows one already that begins
 * anew, as its document would take as long to load as a test does all else: what needs a new document reloads it.
 */
export async function visit(path: string, options: Options = {}): Promise<Page> {
  const { key } = options;
  const page = await (key ? openContext(options, await sessionOf(key)) : shareTab(options));
  if (!(await page.evaluate(beginAnew(path)))) await page.goto(path);
  await titled(page);
  return page;
}

/** Waits until what became of a key, a click or an answer is drawn. */
export const drawn = (page: Page) =>
  page.evaluate('new Promise((shown) => requestAnimationFrame(() => setTimeout(shown)))');

/** Goes to an address within the page, as a link does, and waits until it shows what it has. */
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

/**
 * The tab that a click opens, once it is at a path. Of one that was there at once Playwright itself says `about:blank` for
 * good, so that the tab is asked.
 */
export async function openedBy(page: Page, click: () => Promise<void>, path: string) {
  const [tab] = await Promise.all([page.context().waitForEvent('page'), click()]);
  await expect.poll(() => tab.evaluate('location.pathname')).toBe(path);
  return tab;
}

/** How far the page is to be scrolled sideways, in pixels. */
export const overflow = (page: Page) =>
  page.evaluate(
    'Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth)',
  );

/** What may be the words of what has the focus: its text, its name, and its labels. */
const focused = `(({ textContent, ariaLabel, labels }) =>
  [textContent, ariaLabel, ...[...(labels ?? [])].map((label) => label.textContent)]
)(document.activeElement)`;

/** Goes on by Tab until what has the focus has some words, or a name. */
export async function tabTo(page: Page, words: string): Promise<void> {
  for (let tabs = 0; tabs < 80; tabs++) {
    await page.keyboard.press('Tab');
    const found: (string | null)[] = await page.evaluate(focused);
    if (found.includes(words)) return;
  }
  throw new Error(`Tab does not lead to ${words}`);
}

/** Clicks, and counts the clicks. */
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

/** The button of the open dialog that stores: it waits for the server's word. */
export const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' });

/** Adds something by a button; what is typed elsewhere before that has the focus would be typed there. */
export async function add(page: Page, name: string): Promise<void> {
  await button(page, name).click();
  await page.locator('input:focus, select:focus, textarea:focus').waitFor();
}

/** The save bar. */
export const dock = (page: Page) => page.getByRole('complementary', { name: 'Unsaved changes' });

/** Waits until the dry run succeeds. */
export const accepted = (page: Page) => page.getByText('Ready to save').waitFor();

/** Waits until no dialog is open. */
export const closed = (page: Page) => page.locator('dialog').waitFor({ state: 'detached' });
