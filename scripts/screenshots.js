// `npm run screenshots`: pictures of the console page and its dialogs in light and in dark, wide and on a phone, for
// people to look at, and the one at the top of the README. `-- --folder <name>` puts them elsewhere.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { makeVariables, rootKey } from './dev/variables.js';
import { addresses } from './page/addresses.js';
import { buildPage } from './page/build.js';
import { findChromium, howToGet, options } from './page/chromium.js';
import { dialogs, tried } from './page/dialogs.js';
import { offline, readOptions } from './tool.js';

const { folder } = readOptions('npm run screenshots takes: -- --folder <folder>', {
  folder: { type: 'string', default: 'node_modules/.cache/screenshots' },
});

/** The picture of the README, and the page that it shows. */
const first = { path: '.github/console.png', page: '/gates/one_page_checkout' };

const desk = { width: 1280, height: 860 };
const phone = { width: 390, height: 844, hasTouch: true };

const looks = [
  { name: 'light', ...desk, colorScheme: /** @type {const} */ ('light') },
  { name: 'dark', ...desk, colorScheme: /** @type {const} */ ('dark') },
  { name: 'phone', ...phone, colorScheme: /** @type {const} */ ('light') },
  { name: 'dark phone', ...phone, colorScheme: /** @type {const} */ ('dark') },
];

/** @typedef {import('playwright-core').Page} Page */

/**
 * Signs in, and leaves the page at the door open.
 * @param {Page} page
 * @param {string} origin
 */
async function signIn(page, origin) {
  await page.goto(origin);
  await page.getByLabel('API key').fill(rootKey('.'));
  await page.keyboard.press('Enter');
  await page.locator('.shell').waitFor();
}

/**
 * Goes to a page, and waits until it has all that it shows.
 * @param {Page} page
 * @param {string} address
 */
async function settle(page, address) {
  await page.goto(address);
  await page.locator('h1').waitFor();
  await page.waitForLoadState('networkidle');
}

/**
 * The picture of the README: a gate that is being edited, and tried.
 * @param {Page} page
 * @param {string} origin
 */
async function pictureOfReadme(page, origin) {
  await page.setViewportSize({ width: 1280, height: 920 });
  await settle(page, `${origin}${first.page}`);
  await tried(page);
  await page.evaluate('scrollTo(0, 0)');
  await page.screenshot({ path: first.path });
}

const executablePath = findChromium();
if (!executablePath) {
  process.stderr.write(`${howToGet.replace('npm test', 'npm run screenshots')}\n`);
  process.exit(1);
}

Object.assign(process.env, offline);
makeVariables('.');
const { prepareDatabase } = await import('./dev/prepare.js');
const { startServer } = await import('./dev/server.js');
const data = mkdtempSync(join(tmpdir(), 'screenshots-'));
await buildPage('src/assets/page');
await prepareDatabase(data);
const server = await startServer(data, 0);
const browser = await chromium.launch({ ...options, executablePath });
try {
  const origin = `http://localhost:${await server.port()}`;
  mkdirSync(folder, { recursive: true });
  for (const { name, width, height, ...look } of looks) {
    const page = await browser.newPage({
      viewport: { width, height },
      reducedMotion: 'reduce',
      ...look,
    });
    await page.goto(origin);
    await page.getByLabel('API key').waitFor();
    await page.screenshot({ path: join(folder, `${name} door.png`) });
    await signIn(page, origin);
    for (const address of addresses) {
      await settle(page, `${origin}${address}`);
      const file = `${name}${address === '/' ? ' home' : address.replaceAll(/[/?:%]/g, ' ')}.png`;
      await page.screenshot({ path: join(folder, file) });
    }
    for (const { name: dialog, address, open } of dialogs) {
      await settle(page, `${origin}${address}`);
      await open(page);
      await page.waitForLoadState('networkidle');
      await page.screenshot({ path: join(folder, `${name} dialog ${dialog}.png`) });
      await page.evaluate('sessionStorage.clear()');
    }
    if (name === 'light') await pictureOfReadme(page, origin);
    await page.close();
  }
} finally {
  await browser.close();
  await server.stop();
  rmSync(data, { recursive: true, force: true });
}
process.stdout.write(`The pictures are in ${folder}; that of the README is ${first.path}.\n`);
process.exit(0);
