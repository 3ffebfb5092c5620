import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { nextFree } from '../../scripts/dev/port.js';
import { buildPage } from '../../scripts/page/build.js';
import { findChromium, howToGet } from '../../scripts/page/chromium.js';
import { devWithoutPage } from '../support/local_server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Empty without a browser. */
    origin: string;
  }
}

/** Starts `npm run dev` without watching the page, which would rebuild it all the time. */
async function serve(folder: string) {
  await buildPage('src/assets/page');
  // Below the system's ephemeral ports, and unlike those of other tests.
  const port = await nextFree(10_000 + Math.floor(Math.random() * 10_000));
  const server = devWithoutPage('--port', String(port), '--persist-to', folder);
  await server.until(() => server.output().includes('Try:'));
  return { server, port };
}

export default async function setup({ provide }: TestProject) {
  if (!findChromium()) {
    if (process.env.CI) throw new Error(`There is no Chromium. ${howToGet}`);
    process.stderr.write(`The tests of the page are skipped: there is no Chromium. ${howToGet}\n`);
    provide('origin', '');
    return undefined;
  }
  const folder = mkdtempSync(join(tmpdir(), 'page-'));
  const { server, port } = await serve(folder);
  provide('origin', `http://localhost:${port}`);
  return async () => {
    await server.stop('SIGTERM');
    writeFileSync('node_modules/.cache/page-server.log', server.output()); // explains a failed test
    rmSync(folder, { recursive: true, force: true });
  };
}
