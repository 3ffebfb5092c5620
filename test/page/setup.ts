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
    /** The server of each test process, which has its own database; none without a browser. */
    origins: string[];
  }
}

/** The range of ports of a server: below the system's ephemeral ports, and unlike those of other tests. */
const portRange = 5000;

/** Starts `npm run dev` without watching the page, which would rebuild it all the time. */
async function serve(folder: string, index: number) {
  const first = 10_000 + index * portRange;
  const port = await nextFree(first + Math.floor(Math.random() * portRange));
  const server = devWithoutPage('--port', String(port), '--persist-to', folder);
  await server.until(() => server.output().includes('Try:'));
  return { server, origin: `http://localhost:${port}` };
}

export default async function setup({ provide, config }: TestProject) {
  if (!findChromium()) {
    if (process.env.CI) throw new Error(`There is no Chromium. ${howToGet}`);
    process.stderr.write(`The tests of the page are skipped: there is no Chromium. ${howToGet}\n`);
    provide('origins', []);
    return undefined;
  }
  await buildPage('src/assets/page');
  const folder = mkdtempSync(join(tmpdir(), 'page-'));
  const indexes = Array.from({ length: config.maxWorkers }, (_, index) => index);
  const served = await Promise.all(
    indexes.map((index) => serve(join(folder, String(index)), index)),
  );
  provide(
    'origins',
    served.map(({ origin }) => origin),
  );
  return async () => {
    await Promise.all(served.map(({ server }) => server.stop('SIGTERM')));
    const logs = served.map(({ server }) => server.output());
    writeFileSync('node_modules/.cache/page-server.log', logs.join('\n')); // explains a failed test
    rmSync(folder, { recursive: true, force: true });
  };
}
