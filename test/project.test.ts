import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';

/** Runs a tool of the project; its output and exit status. */
function run(name: string, args: string[], variables = {}) {
  const env = {
    ...process.env,
    WRANGLER_SEND_METRICS: 'false',
    CLOUDFLARE_CF_FETCH_ENABLED: 'false',
    ...variables,
  };
  const { status, stdout, stderr } = spawnSync(join('node_modules/.bin', name), args, {
    env,
    encoding: 'utf8',
  });
  return { status, output: `${stdout}${stderr}` };
}

describe('the linter', () => {
  /** What it says of code in a file of that name. */
  function lint(code: string, file = 'src/example.ts'): string {
    const folder = mkdtempSync(join(tmpdir(), 'lint-'));
    try {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), code);
      return run('biome', ['lint', '--vcs-enabled=false', '--config-path=biome.json', folder])
        .output;
    } finally {
      rmSync(folder, { recursive: true });
    }
  }

  test.each([
    ["import { z } from 'zod';\nexport const a = z.string();\n", 'noRestrictedImports'],
    ['export const a: any = 1;\n', 'noExplicitAny'],
    ["export const a = JSON.parse('1') as string;\n", 'Casts hide errors'],
    ["export const a = <string>JSON.parse('1');\n", 'Casts hide errors'],
    ["console.log('hello');\n", 'noConsole'],
  ])('refuses %j', (code, reason) => {
    expect(lint(code)).toContain(reason);
  });

  test('takes casts where they are needed, and `as const` everywhere', () => {
    const cast = "export const a = JSON.parse('1') as string;\n";
    for (const file of ['src/store/database.ts', 'src/store/transaction.ts'])
      expect(lint(cast, file)).toContain('Checked 1 file');
    for (const file of ['src/store/database.ts', 'src/store/transaction.ts'])
      expect(lint(cast, file)).not.toContain('Casts hide errors');
    expect(lint("export const a = ['x'] as const;\n")).not.toContain('Casts hide errors');
  });
});

describe('the migrations', () => {
  const folder = 'drizzle/migrations';
  const files = readdirSync(folder).filter((file) => file.endsWith('.sql'));

  test('rebuild no table, which would lose rows on D1', () => {
    for (const file of files)
      expect(readFileSync(join(folder, file), 'utf8')).not.toMatch(
        /__new_|DROP TABLE|PRAGMA foreign_keys/i,
      );
  });

  test('are all that the tables in the code need', () => {
    const copy = mkdtempSync('node_modules/.migrations-'); // drizzle-kit wants a relative path
    try {
      cpSync(folder, copy, { recursive: true });
      const { output } = run('drizzle-kit', ['generate'], {
        MIGRATIONS: copy,
      });
      expect(output).toContain('No schema changes');
      expect(readdirSync(copy).filter((file) => file.endsWith('.sql'))).toEqual(files);
    } finally {
      rmSync(copy, { recursive: true });
    }
  });
});

/** A tripwire for what comes into the Worker unseen, in bytes; the platform takes 3 MB gzipped. */
const most = { minified: 1_000_000, gzipped: 300_000 };

test('the Worker can be deployed, and is no larger than it should be', () => {
  const out = mkdtempSync(join(tmpdir(), 'worker-'));
  try {
    const { status, output } = run('wrangler', ['deploy', '--dry-run', '--outdir', out]);
    expect(status, output).toBe(0);
    const worker = readFileSync(join(out, 'index.js'));
    expect(worker.length).toBeLessThan(most.minified);
    expect(gzipSync(worker).length).toBeLessThan(most.gzipped);
  } finally {
    rmSync(out, { recursive: true });
  }
});
