// Finds Chromium, for tests and screenshots of the page.
import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';

/** Common paths; the headless shell is first because it uses a third less CPU. */
const commonPaths = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/**
 * Returns the path from CHROME_PATH, of the system, or of Playwright.
 * @returns {string | undefined}
 */
export const findChromium = () =>
  [process.env.CHROME_PATH ?? '', ...commonPaths, chromium.executablePath()].find(
    (path) => path && existsSync(path),
  );

export const howToGet =
  'Install Chromium (Debian: apt-get install chromium-headless-shell), or set its path: CHROME_PATH=/path/to/chrome npm test';

/** Launch options that disable all background requests. */
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
