// `npm run screenshots`: takes screenshots of the console and its dialogs, light and dark, wide and on a phone, and the
// one in the README. `-- --folder <name>` changes the folder.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { makeVariables, rootKey } from './dev/variables.js';
import { allPages } from './page/addresses.js';
import { buildPage } from './page/build.js';
import { findChromium, howToGet, options } from './page/chromium.js';
import { dialogs, testUser } from './page/dialogs.js';
import { offline, readOptions } from './tool.js';

const { folder } = readOptions('npm run screenshots takes: -- --folder <folder>', {
  folder: { type: 'string', default: 'node_modules/.cache/screenshots' },
});

const readmeScreenshot = { path: '.github/console.png', page: '/gates/one_page_checkout' };

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
 * Opens a page and waits until its requests have ended.
 * @param {Page} page
 * @param {string} address
 */
async function openPage(page, address) {
  await page.goto(address);
  await page.locator('h1').waitFor();
  await page.waitForLoadState('networkidle');
}

/**
 * Takes the screenshot of the README: a gate with unsaved changes and a tested user.
 * @param {Page} page
 * @param {string} origin
 */
async function screenshotOfReadme(page, origin) {
  await page.setViewportSize({ width: 1280, height: 920 });
  await openPage(page, `${origin}${readmeScreenshot.page}`);
  await testUser(page);
  await page.evaluate('scrollTo(0, 0)');
  await page.screenshot({ path: readmeScreenshot.path });
}

const executablePath = findChromium();
if (!executablePath) {
  process.stderr.write(`${howToGet.replace('npm test', 'npm run screenshots')}\n`);
  process.exit(1);
}

Object.assign(process.env, offline);
makeVariables('.');
const { prepareDatabase } = await import('./dev/prepare.js');
const { runsForResults } = await import('./dev/sample.js');
const { inARow, startServer } = await import('./dev/server.js');
const data = mkdtempSync(join(tmpdir(), 'screenshots-'));
await buildPage('src/assets/page');
await prepareDatabase(data);
const server = await startServer(data, 0);
const browser = await chromium.launch({ ...options, executablePath });
try {
  const origin = `http://localhost:${await server.port()}`;
  await inARow(runsForResults, server.runScheduled);
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
    for (const address of allPages) {
      await openPage(page, `${origin}${address}`);
      const file = `${name}${address === '/' ? ' home' : address.replaceAll(/[/?:%]/g, ' ')}.png`;
      await page.screenshot({ path: join(folder, file), fullPage: true });
    }
    for (const { name: dialog, address, open } of dialogs) {
      await openPage(page, `${origin}${address}`);
      await open(page);
      await page.waitForLoadState('networkidle');
      await page.screenshot({ path: join(folder, `${name} dialog ${dialog}.png`) });
      await page.evaluate('sessionStorage.clear()');
    }
    if (name === 'light') await screenshotOfReadme(page, origin);
    await page.close();
  }
} finally {
  await browser.close();
  await server.stop();
  rmSync(data, { recursive: true, force: true });
}
process.stdout.write(
  `The screenshots are in ${folder}; the one of the README is ${readmeScreenshot.path}.\n`,
);
process.exit(0);
