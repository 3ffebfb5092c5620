import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openDatabase, readMigrations } from '../../scripts/dev/database.js';
import { unstable_splitSqlQuery as splitLikeWrangler } from '../../scripts/dev/wrangler.js';

const files = readMigrations();

const comments = /--.*/g;

/** Cuts at every semicolon outside BEGIN … END; it knows nothing of quotes and comments. */
function splitNaively(sql: string): string[] {
  const pieces = [''];
  let depth = 0;
  for (const part of sql.split(/(\bBEGIN\b|\bEND\b|;)/)) {
    if (part === 'BEGIN') depth++;
    if (part === 'END') depth--;
    if (part === ';' && depth === 0) pieces.push('');
    else pieces[pieces.length - 1] += part;
  }
  return pieces;
}

/** The statements without comments, so that two ways to split compare. */
const bare = (statements: string[]) =>
  statements
    .map((sql) => sql.replace(comments, '').replace(/;\s*$/, '').trim())
    .filter((sql) => sql !== '');

const opened: { close: () => Promise<void> }[] = [];

afterAll(async () => {
  for (const { close } of opened) await close();
});

async function newDatabase(): Promise<D1Database> {
  const database = await openDatabase();
  opened.push(database);
  return database.db;
}

async function schemaOf(db: D1Database): Promise<unknown[]> {
  const all = 'select type, name, sql from sqlite_master order by name';
  return (await db.prepare(all).all()).results;
}

const run = (db: D1Database, statements: string[]) =>
  db.batch(statements.map((statement) => db.prepare(statement)));

test.each(files)('$name has only what every splitter of SQL understands', ({ sql }) => {
  expect(Buffer.byteLength(sql)).toBeLessThan(90_000);
  expect(sql, 'LF, not CR LF').not.toContain('\r');
  for (const [comment] of sql.matchAll(comments))
    expect(comment, 'no semicolon, quote or backtick in a comment').not.toMatch(/[;'"`]/);
  expect(sql, 'no comment of several lines').not.toContain('/*');
  const statements = sql.replace(comments, '').replace(/'[^']*'/g, "''");
  expect(statements, 'iif() instead of CASE').not.toMatch(/\bCASE\b/i);
  for (const [word] of statements.matchAll(/\b(begin|end)\b/gi))
    expect(word, 'BEGIN and END in capitals').toBe(word.toUpperCase());
  expect(statements.trimEnd(), 'wrangler appends a statement').toMatch(/;$/);
});

test('migrations make the same schema as whole files and statement by statement', async () => {
  const [whole, byWrangler, naive] = [
    await newDatabase(),
    await newDatabase(),
    await newDatabase(),
  ];
  for (const { name, sql } of files) {
    expect(bare(splitLikeWrangler(sql)), name).toEqual(bare(splitNaively(sql)));
    await run(whole, [sql]);
    await run(byWrangler, splitLikeWrangler(sql));
    await run(naive, bare(splitNaively(sql)));
    const expected = await schemaOf(whole);
    expect(expected.length, name).toBeGreaterThan(100);
    expect(await schemaOf(byWrangler), name).toEqual(expected);
    expect(await schemaOf(naive), name).toEqual(expected);
  }
});

/** Returns the options of each table that a migration creates. */
const optionsOf = (sql: string) =>
  new Map(
    [...sql.matchAll(/^CREATE TABLE `(\w+)` \([^;]*?\n\)(.*);/gm)].map(([, name, options]) => [
      name,
      options,
    ]),
  );

/** Runs `npm run migration` in a folder, and returns the folder's files of SQL and snapshots. */
function generate(folder: string, ...args: string[]) {
  const { status, stderr } = spawnSync(process.execPath, ['scripts/migration.js', ...args], {
    env: { ...process.env, MIGRATIONS: folder },
    encoding: 'utf8',
  });
  expect(status, stderr).toBe(0);
  return {
    migrations: readdirSync(folder).filter((name) => name.endsWith('.sql')),
    snapshots: readdirSync(join(folder, 'meta')).filter((name) => name.endsWith('_snapshot.json')),
  };
}

test('npm run migration makes tables STRICT and WITHOUT ROWID like those of merged migrations', () => {
  const folder = mkdtempSync('node_modules/.migrations-'); // drizzle-kit requires a relative path
  try {
    const [file = ''] = generate(folder, '--name', 'all').migrations;
    const generated = optionsOf(readFileSync(join(folder, file), 'utf8'));
    const merged = new Map(files.flatMap(({ sql }) => [...optionsOf(sql)]));
    expect(generated.size).toBeGreaterThan(40);
    for (const [name, options] of generated) expect(options, name).toBe(merged.get(name));
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('npm run migration continues from the newest snapshot and keeps no other', () => {
  const folder = mkdtempSync('node_modules/.migrations-');
  try {
    cpSync('drizzle/migrations', folder, { recursive: true });
    const snapshot = (number: number) =>
      join(folder, 'meta', `${String(number).padStart(4, '0')}_snapshot.json`);
    const before = JSON.parse(readFileSync(snapshot(files.length - 1), 'utf8'));
    const { migrations, snapshots } = generate(folder, '--name', 'next', '--custom');
    expect(migrations).toHaveLength(files.length + 1);
    expect(snapshots).toEqual([basename(snapshot(files.length))]);
    const after = JSON.parse(readFileSync(snapshot(files.length), 'utf8'));
    expect(after).toMatchObject({ prevId: before.id, tables: before.tables });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
