import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { buildPage } from '../../scripts/page/build.js';
import { cached } from '../../scripts/page/cache.js';
import { runTool } from '../../scripts/tool.js';
import { isObject } from '../../src/base/value_types.ts';
import { launch } from '../support/local_server.ts';

describe('the linter', () => {
  const cast = "export const a = JSON.parse('1') as string;\n";
  const castAndAny = "export const a: any = JSON.parse('1') as string;\n";

  /** Files with their code and the error of the linter; undefined for none. */
  const examples: [file: string, code: string, reason?: string][] = [
    ['zod.ts', "import { z } from 'zod';\nexport const a = z.string();\n", 'noRestrictedImports'],
    [
      'src/page/a.ts',
      "export type { A } from '../../platform/store/a.ts';\n",
      'must not import the store',
    ],
    ['src/engine/a.ts', "import '../platform/store/a.ts';\n", 'must not import the store'],
    ['any.ts', 'export const a: any = 1;\n', 'noExplicitAny'],
    ['cast.ts', cast, 'Casts hide errors'],
    ['bracket.ts', "export const a = <string>JSON.parse('1');\n", 'Casts hide errors'],
    [
      'object.ts',
      "export const a = Object(JSON.parse('1')).b;\n",
      'Object(value) has the type any',
    ],
    [
      'reflect.ts',
      "export const a = Reflect.get({ b: 1 }, 'b');\n",
      'Reflect.get has the type any',
    ],
    ['keys.ts', 'export const a = Object.keys(new Object());\n'],
    ['src/base/value_types.ts', "export const a = Reflect.get({ b: 1 }, 'b');\n"],
    ['console.ts', "console.log('hello');\n", 'noConsole'],
    ['const.ts', "export const a = ['x'] as const;\n"],
    ['src/platform/store/sql/database.ts', castAndAny, 'noExplicitAny'],
    ['src/platform/store/changes/transaction.ts', castAndAny, 'noExplicitAny'],
  ];

  test('the linter rejects code that hides errors, and accepts the allowed casts', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'lint-'));
    for (const [file, code] of examples) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), code);
    }
    const how = ['--vcs-enabled=false', '--config-path=biome.json', '--reporter=github'];
    const { output } = await runTool('biome', ['lint', ...how, folder]);
    const lines = output.split('\n');
    rmSync(folder, { recursive: true });
    const found = examples.map(([file]) => lines.filter((line) => line.includes(`/${file},`)));
    expect(found).toEqual(
      examples.map(([, , reason]) => (reason ? [expect.stringContaining(reason)] : [])),
    );
  });
});

test('no package runs an install script or reports its installation', () => {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  const withScripts = Object.entries(packages)
    .filter(([, entry]) => isObject(entry) && entry.hasInstallScript)
    .map(([path]) => path.replace(/^.*node_modules\//, ''));
  const { allowScripts, scarfSettings } = JSON.parse(readFileSync('package.json', 'utf8'));
  const refused = Object.fromEntries(withScripts.map((name) => [name, false]));
  expect(allowScripts).toEqual(refused);
  expect(scarfSettings).toEqual({ enabled: false }); // for npm versions without allowScripts
});

describe('the migrations', () => {
  const folder = 'drizzle/migrations';
  const files = readdirSync(folder).filter((file) => file.endsWith('.sql'));

  test('migrations rebuild no table, because this loses rows on D1', () => {
    for (const file of files)
      expect(readFileSync(join(folder, file), 'utf8')).not.toMatch(
        /__new_|DROP TABLE (?!`deliveries`;)|PRAGMA foreign_keys/i, // except a table that is no longer read
      );
  });

  test('only the newest snapshot of the tables is stored', () => {
    const snapshots = readdirSync(join(folder, 'meta')).filter((file) => file !== '_journal.json');
    expect(snapshots).toEqual([`${files.at(-1)?.slice(0, 4)}_snapshot.json`]);
  });

  test('migrations are complete for the tables in the code', async () => {
    const copy = mkdtempSync('node_modules/.migrations-'); // drizzle-kit requires a relative path
    try {
      cpSync(folder, copy, { recursive: true });
      const { output } = await runTool('drizzle-kit', ['generate'], { env: { MIGRATIONS: copy } });
      expect(output).toContain('No schema changes');
      expect(readdirSync(copy).filter((file) => file.endsWith('.sql'))).toEqual(files);
    } finally {
      rmSync(copy, { recursive: true });
    }
  });
});

/** Size limits in bytes that detect unwanted imports; the platform allows 3 MB gzipped. */
const maxWorkerBytes = { minified: 1_250_000, gzipped: 400_000 };

test('the Worker bundles for a deployment within its size limits', async () => {
  const out = mkdtempSync(join(tmpdir(), 'worker-'));
  try {
    const { status, output } = await runTool('wrangler', ['deploy', '--dry-run', '--outdir', out]);
    expect(status, output).toBe(0);
    const worker = readFileSync(join(out, 'index.js'));
    expect(worker.length).toBeLessThan(maxWorkerBytes.minified);
    expect(gzipSync(worker).length).toBeLessThan(maxWorkerBytes.gzipped);
    expect(worker.includes('devDependencies'), 'more of package.json than its version').toBe(false);
  } finally {
    rmSync(out, { recursive: true });
  }
});

/** Size limits of the page in gzipped bytes. */
const maxPageBytes = { script: 60_000, style: 10_000, plan: 8_000, gate: 6_000, home: 8_000 };

test('the page is within its size limits and bundles no zod, Hono or Drizzle', async () => {
  const out = mkdtempSync(join(tmpdir(), 'page-'));
  try {
    const modules = await buildPage(out);
    const gzipped = (file: string) => gzipSync(readFileSync(join(out, file))).length;
    expect(gzipped('main.js')).toBeLessThan(maxPageBytes.script);
    // The first visit would load what main.js imports, too.
    expect(readFileSync(join(out, 'main.js'), 'utf8')).not.toMatch(/(from|import)\s*"\.\//);
    expect(gzipped('style.css')).toBeLessThan(maxPageBytes.style);
    expect(gzipped('plan.js')).toBeLessThan(maxPageBytes.plan);
    expect(gzipped('gate.js')).toBeLessThan(maxPageBytes.gate);
    expect(gzipped('home.js')).toBeLessThan(maxPageBytes.home);
    expect(modules.length).toBeGreaterThan(100);
    expect(modules.filter((file) => /zod|hono|drizzle/.test(file))).toEqual([]);
  } finally {
    rmSync(out, { recursive: true });
  }
});

test('index.html has exactly the icons that the page uses', () => {
  const read = (path: string, pattern: RegExp) =>
    [...readFileSync(path, 'utf8').matchAll(pattern)].map(([, name]) => name).sort();
  const named = read('src/page/ui/icon.tsx', /\| '(\w+)'/g);
  expect(named.length).toBeGreaterThan(0);
  expect(read('src/assets/index.html', /id="icon-(\w+)"/g)).toEqual(named);
});

test('building the page again writes only changed files, which does not disturb running servers', async () => {
  const out = mkdtempSync(join(tmpdir(), 'page-'));
  const timeOf = (file: string) => statSync(join(out, file)).mtimeMs;
  try {
    await buildPage(out);
    const before = timeOf('main.js');
    writeFileSync(join(out, 'style.css'), '');
    writeFileSync(join(out, 'chunk.js'), '');
    await buildPage(out);
    expect(timeOf('main.js')).toBe(before);
    expect(readFileSync(join(out, 'style.css')).length).toBeGreaterThan(0);
    expect(readdirSync(out)).not.toContain('chunk.js');
  } finally {
    rmSync(out, { recursive: true });
  }
});

describe('the file cache', () => {
  const folder = mkdtempSync(join(tmpdir(), 'cache-'));
  const file = join(folder, 'deep', 'cache.json');
  afterAll(() => rmSync(folder, { recursive: true }));

  /** The number of computed values. */
  let count = 0;
  const compute = (input: string) => cached(file, input, async () => ({ input, count: ++count }));

  test('the file cache computes a value again only for another input', async () => {
    expect(await compute('a')).toEqual({ input: 'a', count: 1 });
    expect(await compute('a')).toEqual({ input: 'a', count: 1 });
    expect(await compute('b')).toEqual({ input: 'b', count: 2 });
    expect(await compute('a')).toEqual({ input: 'a', count: 3 });
    expect(readdirSync(dirname(file))).toEqual(['cache.json']);
  });

  test.each([
    ['empty', () => writeFileSync(file, '')],
    ['null', () => writeFileSync(file, 'null')],
    ['a folder', () => mkdirSync(join(file, 'in'), { recursive: true })],
  ])('the file cache computes a value again if the file is %s', async (_, spoil) => {
    rmSync(file, { recursive: true, force: true });
    mkdirSync(dirname(file), { recursive: true });
    spoil();
    const before = count;
    expect(await compute('a')).toEqual({ input: 'a', count: before + 1 });
    expect(readdirSync(dirname(file))).toEqual(['cache.json']);
  });
});

/** Watches the page, changes a file, and exits with 0 if the page is built again within 20 s. */
const changeWhileWatching = `
import { existsSync, rmSync, utimesSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { watchPage } from './scripts/page/build.js';
const watching = await watchPage('out');
rmSync('out/main.js');
utimesSync('src/page/main.tsx', new Date(), new Date());
for (let waits = 0; waits < 400 && !existsSync('out/main.js'); waits++) await setTimeout(50);
await watching.dispose();
process.exit(existsSync('out/main.js') ? 0 : 1);
`;

test('watchPage builds the page again when one of its files changes', async () => {
  // In a copy: local servers of other tests restart when a file of the page changes.
  const copy = mkdtempSync(join(tmpdir(), 'copy-'));
  try {
    for (const name of ['src', 'scripts', 'package.json', 'tsconfig.json'])
      cpSync(name, join(copy, name), { recursive: true });
    symlinkSync(resolve('node_modules'), join(copy, 'node_modules'), 'junction');
    const args = ['--input-type=module', '-e', changeWhileWatching];
    const watching = launch(process.execPath, args, {}, copy);
    expect(await watching.closed, watching.output()).toBe(0);
  } finally {
    rmSync(copy, { recursive: true });
  }
});

/** Watches the page, blocks for longer than the ping interval of esbuild, and exits without a response. */
const exitDuringPing = `
import { watchPage } from './scripts/page/build.js';
await watchPage(process.argv[1]);
Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2500);
process.exit(3);
`;

test('a process that watches the page leaves no esbuild process behind', async () => {
  const out = mkdtempSync(join(tmpdir(), 'page-'));
  try {
    const watching = launch(process.execPath, ['--input-type=module', '-e', exitDuringPing, out]);
    // A remaining process would keep its output open.
    expect(await watching.closed, watching.output()).toBe(3);
  } finally {
    rmSync(out, { recursive: true });
  }
});
