import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { buildPage, watchPage } from '../scripts/page/build.js';
import { kept } from '../scripts/page/kept.js';
import { runTool } from '../scripts/tool.js';
import { launch } from './support/local_server.ts';

describe('the linter', () => {
  const cast = "export const a = JSON.parse('1') as string;\n";
  const castAndAny = "export const a: any = JSON.parse('1') as string;\n";

  /** Files, what is in them, and what the linter says of it; undefined where it says nothing. */
  const examples: [file: string, code: string, reason?: string][] = [
    ['zod.ts', "import { z } from 'zod';\nexport const a = z.string();\n", 'noRestrictedImports'],
    ['src/page/a.ts', "export type { A } from '../store/a.ts';\n", 'know no store'],
    ['src/evaluation/a.ts', "import '../store/a.ts';\n", 'know no store'],
    ['any.ts', 'export const a: any = 1;\n', 'noExplicitAny'],
    ['cast.ts', cast, 'Casts hide errors'],
    ['bracket.ts', "export const a = <string>JSON.parse('1');\n", 'Casts hide errors'],
    ['console.ts', "console.log('hello');\n", 'noConsole'],
    ['const.ts', "export const a = ['x'] as const;\n"],
    ['src/store/sql/database.ts', castAndAny, 'noExplicitAny'],
    ['src/store/changes/transaction.ts', castAndAny, 'noExplicitAny'],
  ];

  test('refuses what hides errors, and takes casts where they are needed', async () => {
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

test('no package runs a script when it is installed, nor tells anybody that it was', () => {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  const withScripts = Object.entries(packages)
    .filter(([, entry]) => Object(entry).hasInstallScript)
    .map(([path]) => path.replace(/^.*node_modules\//, ''));
  const { allowScripts, scarfSettings } = JSON.parse(readFileSync('package.json', 'utf8'));
  const refused = Object.fromEntries(withScripts.map((name) => [name, false]));
  expect(allowScripts).toEqual(refused);
  expect(scarfSettings).toEqual({ enabled: false }); // for an npm that knows no allowScripts
});

describe('the migrations', () => {
  const folder = 'drizzle/migrations';
  const files = readdirSync(folder).filter((file) => file.endsWith('.sql'));

  test('rebuild no table, which would lose rows on D1', () => {
    for (const file of files)
      expect(readFileSync(join(folder, file), 'utf8')).not.toMatch(
        /__new_|DROP TABLE (?!`deliveries`;)|PRAGMA foreign_keys/i, // but for a table that nothing reads any more
      );
  });

  // D1 splits a migration into statements by rules of its own, which the local runtime does not have.
  test('have nothing in which D1 is known to lose its way', () => {
    for (const file of files) {
      const text = readFileSync(join(folder, file), 'utf8');
      expect(text, 'a line that Windows ends').not.toContain('\r');
      expect(text, 'a quote in a comment').not.toMatch(/^--.*['"]/m);
      expect(text, 'a trigger in small letters').not.toMatch(/^\s*(begin|end;)|\sbegin\s|\send;/m);
      expect(text, 'a CASE that D1 takes for the end of its trigger').not.toMatch(
        /(SELECT|SET \S+ =|WHEN|AND|OR)\s+CASE\s/i,
      );
    }
  });

  test('are all that the tables in the code need', async () => {
    const copy = mkdtempSync('node_modules/.migrations-'); // drizzle-kit wants a relative path
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

/** A tripwire for what comes into the Worker unseen, in bytes; the platform takes 3 MB gzipped. */
const most = { minified: 1_000_000, gzipped: 300_000 };

test('the Worker can be deployed, and is no larger than it should be', async () => {
  const out = mkdtempSync(join(tmpdir(), 'worker-'));
  try {
    const { status, output } = await runTool('wrangler', ['deploy', '--dry-run', '--outdir', out]);
    expect(status, output).toBe(0);
    const worker = readFileSync(join(out, 'index.js'));
    expect(worker.length).toBeLessThan(most.minified);
    expect(gzipSync(worker).length).toBeLessThan(most.gzipped);
    expect(worker.includes('devDependencies'), 'more of package.json than its version').toBe(false);
  } finally {
    rmSync(out, { recursive: true });
  }
});

/** What a visit of the page may load, in bytes gzipped. */
const mostOfPage = { script: 62_000, style: 10_000 };

test('the page is small, and brings nothing of the Worker but what it is for', async () => {
  const out = mkdtempSync(join(tmpdir(), 'page-'));
  try {
    const { inputs } = await buildPage(out);
    const gzipped = (file: string) => gzipSync(readFileSync(join(out, file))).length;
    expect(gzipped('main.js')).toBeLessThan(mostOfPage.script);
    expect(gzipped('style.css')).toBeLessThan(mostOfPage.style);
    expect(Object.keys(inputs).filter((file) => /zod|hono|drizzle/.test(file))).toEqual([]);
  } finally {
    rmSync(out, { recursive: true });
  }
});

test('each icon that the page names is drawn, and no other', () => {
  const read = (path: string, pattern: RegExp) =>
    [...readFileSync(path, 'utf8').matchAll(pattern)].map(([, name]) => name).sort();
  const named = read('src/page/ui/icon.tsx', /\| '(\w+)'/g);
  expect(named.length).toBeGreaterThan(0);
  expect(read('src/assets/index.html', /id="icon-(\w+)"/g)).toEqual(named);
});

test('building the page again writes what differs, so that servers which run meanwhile are left alone', async () => {
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

describe('what is kept in a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kept-'));
  const file = join(folder, 'deep', 'kept.json');
  afterAll(() => rmSync(folder, { recursive: true }));

  /** How often something was made anew, which is what it is made of and a number. */
  let count = 0;
  const made = (of: string) => kept(file, of, async () => ({ of, count: ++count }));

  test('is made once, and again out of something else', async () => {
    expect(await made('a')).toEqual({ of: 'a', count: 1 });
    expect(await made('a')).toEqual({ of: 'a', count: 1 });
    expect(await made('b')).toEqual({ of: 'b', count: 2 });
    expect(await made('a')).toEqual({ of: 'a', count: 3 });
    expect(readdirSync(dirname(file))).toEqual(['kept.json']);
  });

  test.each([
    ['empty', () => writeFileSync(file, '')],
    ['null', () => writeFileSync(file, 'null')],
    ['a folder', () => mkdirSync(join(file, 'in'), { recursive: true })],
  ])('is made again where the file is %s', async (_, spoil) => {
    rmSync(file, { recursive: true, force: true });
    mkdirSync(dirname(file), { recursive: true });
    spoil();
    const before = count;
    expect(await made('a')).toEqual({ of: 'a', count: before + 1 });
    expect(readdirSync(dirname(file))).toEqual(['kept.json']);
  });
});

test('the page is built again when one of its files changes', async () => {
  const out = mkdtempSync(join(tmpdir(), 'page-'));
  const watching = await watchPage(out);
  try {
    rmSync(join(out, 'main.js'));
    utimesSync('src/page/main.tsx', new Date(), new Date());
    await expect.poll(() => existsSync(join(out, 'main.js')), { timeout: 20_000 }).toBe(true);
  } finally {
    await watching.dispose();
    rmSync(out, { recursive: true });
  }
});

/** Watches the page, stands still for longer than esbuild asks whether it is there, and ends without an answer. */
const endsUnanswered = `
import { watchPage } from './scripts/page/build.js';
await watchPage(process.argv[1]);
Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2500);
process.exit(3);
`;

test('a process that watches the page leaves none behind', async () => {
  const out = mkdtempSync(join(tmpdir(), 'page-'));
  try {
    const watching = launch(process.execPath, ['--input-type=module', '-e', endsUnanswered, out]);
    // What it leaves behind would keep its output open.
    await expect(Promise.race([watching.closed, sleep(20_000)])).resolves.toBe(3);
  } finally {
    rmSync(out, { recursive: true });
  }
});
