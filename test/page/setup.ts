import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import type { TestProject } from 'vitest/node';
import { openDatabase } from '../../scripts/dev/database.js';
import { nextFree } from '../../scripts/dev/port.js';
import { findChromium, howToGet, options } from '../../scripts/page/chromium.js';
import { callLocal, dev } from '../support/local_server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the page is served; empty where there is no browser. */
    origin: string;
    browser: string;
  }
}

const longAgo = Date.now() - 40 * 24 * 60 * 60 * 1000;

/** Makes two gates, which then have been left alone for long. */
async function leaveAlone(folder: string): Promise<void> {
  const { server, port } = await serve(folder);
  for (const name of ['Left alone', 'Left alone too'])
    await callLocal(port, 'POST', 'gates', { name, type: 'TEMPORARY' });
  await server.stop('SIGTERM');
  const { db, close } = await openDatabase(folder);
  const age = "update gates set lastModifiedTime = ? where name like 'Left alone%'";
  await db.prepare(age).bind(longAgo).run();
  await close();
}

/** Starts `npm run dev` on a folder, and waits until it serves. */
async function serve(folder: string) {
  const port = await nextFree(33_000 + Math.floor(Math.random() * 10_000));
  const server = dev('--port', String(port), '--persist-to', folder);
  await server.until(() => server.output().includes('Try:'));
  return { server, port };
}

/** One local server and one browser for all tests of the page. */
export default async function setup({ provide }: TestProject) {
  const executablePath = findChromium();
  if (!executablePath) {
    if (process.env.CI) throw new Error(`There is no Chromium. ${howToGet}`);
    process.stderr.write(`The tests of the page are skipped: there is no Chromium. ${howToGet}\n`);
    provide('origin', '');
    provide('browser', '');
    return undefined;
  }
  const folder = mkdtempSync(join(tmpdir(), 'page-'));
  await leaveAlone(folder);
  const [{ server, port }, browser] = await Promise.all([
    serve(folder),
    chromium.launchServer({ ...options, executablePath }),
  ]);
  provide('origin', `http://localhost:${port}`);
  provide('browser', browser.wsEndpoint());
  return async () => {
    await browser.close();
    await server.stop('SIGTERM');
    rmSync(folder, { recursive: true, force: true });
  };
}
