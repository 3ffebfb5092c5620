import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { build } from 'esbuild';
import { Log, LogLevel, Miniflare } from 'miniflare';
import type { TestProject } from 'vitest/node';
import { prepareDatabase } from '../../scripts/dev/prepare.js';
import { localKeys, makeVariables } from '../../scripts/dev/variables.js';
import {
  unstable_getMiniflareWorkerOptions,
  unstable_readConfig,
} from '../../scripts/dev/wrangler.js';
import { buildPage } from '../../scripts/page/build.js';
import { findChromium, howToGet } from '../../scripts/page/chromium.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** The server of each test process, which has its own database; none without a browser. */
    origins: string[];
  }
}

const config = 'wrangler.toml';

/** What the servers log. */
const lines: string[] = [];

class Collected extends Log {
  override log(line: string) {
    lines.push(line);
  }
}

/** Returns the bundle of the Worker. */
async function bundle(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: ['src/index.ts'],
    write: false,
    bundle: true,
    format: 'esm',
    target: 'es2024',
    conditions: ['workerd', 'worker', 'browser'],
    external: ['node:*', 'cloudflare:*'],
    alias: unstable_readConfig({ config }).alias ?? {},
  });
  return outputFiles[0]?.text ?? '';
}

/**
 * Serves the Worker without the proxy of `npm run dev`: as of wrangler 4.86, it answers 503 to a change, and nothing to a
 * read, that meets a connection closed after its 5 idle seconds.
 */
function serve(script: string, folder: string) {
  const { workerOptions } = unstable_getMiniflareWorkerOptions(config);
  return new Miniflare({
    ...workerOptions,
    bindings: { ...workerOptions.bindings, ...localKeys, LOCAL_HOSTS: 'localhost' },
    modules: true,
    script,
    d1Persist: join(folder, 'v3', 'd1'),
    host: 'localhost',
    cf: false,
    log: new Collected(LogLevel.INFO),
    handleRuntimeStdio(...streams: Readable[]) {
      for (const stream of streams) stream.on('data', (text) => lines.push(String(text)));
    },
  });
}

export default async function setup({ provide, config: { maxWorkers } }: TestProject) {
  if (!findChromium()) {
    if (process.env.CI) throw new Error(`There is no Chromium. ${howToGet}`);
    process.stderr.write(`The tests of the page are skipped: there is no Chromium. ${howToGet}\n`);
    provide('origins', []);
    return undefined;
  }
  makeVariables('.'); // a new clone has no .dev.vars
  const folder = mkdtempSync(join(tmpdir(), 'page-'));
  const databases = Array.from({ length: maxWorkers }, (_, index) => join(folder, String(index)));
  const [first = '', ...others] = databases;
  await buildPage('src/assets/page');
  const [script] = await Promise.all([bundle(), prepareDatabase(first)]);
  for (const other of others) cpSync(first, other, { recursive: true });
  const servers = databases.map((database) => serve(script, database));
  const urls = await Promise.all(servers.map((server) => server.ready));
  provide(
    'origins',
    urls.map(({ port }) => `http://localhost:${port}`),
  );
  return async () => {
    await Promise.all(servers.map((server) => server.dispose()));
    writeFileSync('node_modules/.cache/page-server.log', lines.join('\n')); // explains a failed test
    rmSync(folder, { recursive: true, force: true });
  };
}
