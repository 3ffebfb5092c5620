import { spawn } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { examine, migrate, openDatabase, readMigrations } from '../../scripts/dev/database.js';
import { isFree, nextFree } from '../../scripts/dev/port.js';
import { eachMinute } from '../../scripts/dev/server.js';
import { makeVariables, rootKey } from '../../scripts/dev/variables.js';
import { readStatements, textOf } from '../../scripts/sql/statements.js';
import { devWithoutPage, launch } from '../support/local_server.ts';

const folder = mkdtempSync(join(tmpdir(), 'scripts-'));

const makeFolder = () => mkdtempSync(join(folder, 'test-'));

afterAll(() => rmSync(folder, { recursive: true }));

describe('.dev.vars', () => {
  test('.dev.vars is created with local values, and never overwritten', () => {
    const own = makeFolder();
    makeVariables(own);
    expect(rootKey(own)).toBe('console-local');
    writeFileSync(join(own, '.dev.vars'), 'ROOT_API_KEY="mine"\n');
    makeVariables(own);
    expect(rootKey(own)).toBe('mine');
    writeFileSync(join(own, '.dev.vars'), 'ROOT_API_KEY=\n\n# The rest.\n');
    expect(rootKey(own)).toBe('');
  });

  test('.dev.vars.example lists the secrets of a deployment without values', () => {
    const variables = readFileSync('.dev.vars.example', 'utf8').match(/^\w+=.*$/gm);
    expect(variables).toEqual(['ROOT_API_KEY=', 'SEALING_KEY=']);
    const { cloudflare } = JSON.parse(readFileSync('package.json', 'utf8'));
    expect(Object.keys(cloudflare.bindings)).toEqual(['ROOT_API_KEY', 'SEALING_KEY', 'DB']);
  });

  test('.dev.vars is not committed', () => {
    expect(readFileSync('.gitignore', 'utf8').split('\n')).toContain('.dev.vars');
  });
});

describe('the types of the bindings', () => {
  test('the types of the bindings are written by an installation, and do not depend on .dev.vars', async () => {
    const own = makeFolder();
    for (const name of ['wrangler.toml', 'package.json', 'scripts'])
      cpSync(name, join(own, name), { recursive: true });
    symlinkSync(resolve('node_modules'), join(own, 'node_modules'), 'junction');
    mkdirSync(join(own, 'src'));
    writeFileSync(join(own, 'src/index.ts'), 'export default {};\n');
    writeFileSync(join(own, '.dev.vars'), 'ONLY_HERE=1\n');
    const installed = launch('npm', ['run', 'prepare'], {}, own);
    expect(await installed.closed, installed.output()).toBe(0);
    const types = readFileSync(join(own, 'worker-configuration.d.ts'), 'utf8');
    expect(types).toContain('DB: D1Database;');
    expect(types).not.toContain('ONLY_HERE');
  });

  test.each([
    ['prepare', 0],
    ['types', 1],
  ])('a failure to write the types ends the script %s with status %i', async (event, status) => {
    const child = spawn(process.execPath, [resolve('scripts/types.js')], {
      cwd: makeFolder(),
      env: { ...process.env, npm_lifecycle_event: event },
    });
    expect(await new Promise((ended) => child.on('exit', ended))).toBe(status);
  });
});

describe('a local database', () => {
  const opened: { close: () => Promise<void> }[] = [];
  afterEach(async () => {
    for (const { close } of opened.splice(0)) await close();
  });

  async function open() {
    const database = await openDatabase();
    opened.push(database);
    return { db: database.db, migrations: readMigrations() };
  }

  const later = { name: '9999_later.sql', sql: 'create table later (id text)' };

  test('a local database is empty, and then has pending migrations', async () => {
    const { db, migrations } = await open();
    expect(await examine(db, migrations)).toEqual({ is: 'empty', pending: migrations });
    await migrate(db, migrations);
    expect(await examine(db, migrations)).toEqual({ is: 'ours', pending: [] });
    expect(await examine(db, [...migrations, later])).toEqual({ is: 'ours', pending: [later] });
  });

  test('a local database is ours if it was migrated with a CASE in a trigger', async () => {
    const { db, migrations } = await open();
    const withCase = migrations.map(({ name, sql }) => ({
      name,
      sql: sql.replace(
        /iif\(NEW\.version = 1, NEW\.seq, (\(SELECT .*\))\),/,
        'CASE NEW.version WHEN 1 THEN NEW.seq ELSE $1 END,',
      ),
    }));
    expect(withCase).not.toEqual(migrations);
    await migrate(db, withCase);
    expect(await examine(db, migrations)).toEqual({ is: 'ours', pending: [] });
  });

  test('a local database is foreign if it has migrations that the project lacks', async () => {
    const { db, migrations } = await open();
    await migrate(db, [...migrations, later]);
    expect(await examine(db, migrations)).toMatchObject({ is: 'foreign' });
  });

  test('a local database is foreign if a migration with an equal name created other tables', async () => {
    const { db, migrations } = await open();
    const sql = 'create table gates (id text primary key, data text)';
    await migrate(db, [{ name: migrations[0]?.name ?? '', sql }]);
    expect(await examine(db, migrations)).toMatchObject({ is: 'foreign' });
  });
});

test('the scheduled work runs each minute, even after a failure', async () => {
  vi.useFakeTimers();
  const work = vi.fn().mockRejectedValueOnce(new Error('once')).mockResolvedValue(undefined);
  eachMinute(work);
  await vi.advanceTimersByTimeAsync(59_000);
  expect(work).toHaveBeenCalledTimes(0);
  await vi.advanceTimersByTimeAsync(10 * 60_000);
  expect(work).toHaveBeenCalledTimes(10);
  vi.useRealTimers();
});

describe('npm run sql', () => {
  async function run(...args: string[]) {
    const ended = launch(process.execPath, ['scripts/sql.js', ...args]);
    return { status: await ended.closed, output: ended.output() };
  }

  test('npm run sql prints a statement with its placeholders by name', async () => {
    const expected = `-- webhooks/outbox.receiverOf
select url, secret from webhooks where id = :webhook and isActive = 1;\n`;
    for (const name of ['receiverOf', 'webhooks/outbox.receiverOf'])
      expect(await run(name)).toEqual({ status: 0, output: expected });
  });

  test('npm run sql prints every statement of a name', async () => {
    const { output } = await run('countByName');
    expect(output).toContain('-- events/listing.countByName\nselect ');
    expect(output).toContain('-- events/recording.countByName\ninsert into totals ');
  });

  test('npm run sql lists the names if none is given, and fails for an unknown one', async () => {
    const { output } = await run();
    expect(output.split('\n')).toContain('events/recording.readStored');
    expect(await run('nothing')).toEqual({
      status: 1,
      output: 'There is no statement nothing. `npm run sql` lists the names.\n',
    });
  });

  test('npm run sql prints SQL that the database accepts', async () => {
    const { db, close } = await openDatabase();
    await migrate(db, readMigrations());
    const statements = await readStatements();
    expect(statements.size).toBeGreaterThan(80);
    for (const [name, statement] of statements) {
      const text = textOf(statement).replaceAll(/:(?=[a-zA-Z])\w+/g, 'null');
      expect((await db.prepare(`explain ${text}`).all()).success, name).toBe(true);
    }
    await close();
  });
});

// The fastest scripts of those that parse options with `readOptions`.
test.each([
  ['scripts/deploy.js'],
  ['scripts/import.js'],
  ['scripts/parity.js'],
  ['scripts/random.js', 'fuzz'],
  ['scripts/reindex.js'],
])('%s prints its usage and does nothing for an unknown option', async (...program) => {
  const ended = launch(process.execPath, [...program, '--help']);
  expect(await ended.closed).toBe(1);
  expect(ended.output()).toMatch(/^(Using secrets .+\n)?npm run \w+ takes: --.*(\n {2}--.+)*\n$/);
});

describe('npm run dev', () => {
  async function errorOf(...args: string[]): Promise<string> {
    const ended = devWithoutPage(...args);
    expect(await ended.closed).toBe(1);
    expect(ended.output()).toMatch(/^.+\n$/);
    return ended.output();
  }

  test('npm run dev rejects an unknown option and an invalid port in one line', async () => {
    expect(await errorOf('--prot', '9000')).toContain('npm run dev takes');
    expect(await errorOf('--port', 'x')).toContain('--port x is not a port');
  });

  test('npm run dev rejects a taken port in one line, without a request to it', async () => {
    let callers = 0;
    const other = createServer(() => callers++);
    const taken = await nextFree(30_000 + Math.floor(Math.random() * 2000));
    await new Promise<void>((resolve) => other.listen(taken, '127.0.0.1', resolve));
    expect(await errorOf('--port', `${taken}`)).toContain(`Port ${taken} is taken`);
    expect(await isFree(taken)).toBe(false);
    expect(await nextFree(taken)).toBeGreaterThan(taken);
    other.close();
    expect(callers).toBe(0);
  });

  test('npm run dev rejects a database with other migrations in one line, and does not change it', async () => {
    const old = makeFolder();
    const before = await openDatabase(old);
    await before.db.exec('create table gates (id text, data text)');
    await before.db.exec("insert into gates values ('kept', '{}')");
    await before.close();
    expect(await errorOf('--port', '0', '--persist-to', old)).toContain(`move ${old} away`);
    const { db, close } = await openDatabase(old);
    const { results } = await db.prepare('select * from gates').all();
    expect(results).toEqual([{ id: 'kept', data: '{}' }]);
    await close();
  });
});
