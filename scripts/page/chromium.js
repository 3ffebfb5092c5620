// Where the Chromium of this machine is, for tests and pictures of the page.
import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';

/** Where systems put it; the headless one first, which takes a third less work. */
const usual = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/**
 * The program: what CHROME_PATH names, that of the system, or Playwright's own.
 * @returns {string | undefined} undefined where there is none
 */
export const findChromium = () =>
  [process.env.CHROME_PATH ?? '', ...usual, chromium.executablePath()].find(
    (path) => path && existsSync(path),
  );

/** How to get one. */
export const howToGet =
  'Install Chromium (Debian: apt-get install chromium-headless-shell), or name one: CHROME_PATH=/path/to/chrome npm test';

/** How it is started: without a window, and without calls to anybody. */
export const options = {
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
};
