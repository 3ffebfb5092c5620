// The local database of a folder, as `wrangler dev --persist-to` keeps it there.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getPlatformProxy } from './wrangler.js';

/** @typedef {{ name: string, sql: string }} Migration `name` is that of its file */

/** The table in which wrangler notes the migrations that were applied, as it makes it itself. */
const noted = `create table if not exists d1_migrations (
  id integer primary key autoincrement,
  name text unique,
  applied_at timestamp default current_timestamp not null
)`;

const migrationsFolder = 'drizzle/migrations';

/**
 * All migrations of the project, in their order.
 * @returns {Migration[]}
 */
export const readMigrations = () =>
  readdirSync(migrationsFolder)
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => ({ name, sql: readFileSync(join(migrationsFolder, name), 'utf8') }));

/**
 * Opens the database of a folder; an empty one that is kept nowhere where no folder is named.
 * @param {string} [folder]
 */
export async function openDatabase(folder) {
  const persist = folder === undefined ? false : { path: join(folder, 'v3') };
  /** @type {Awaited<ReturnType<typeof getPlatformProxy<Env>>>} */
  const proxy = await getPlatformProxy({ configPath: 'wrangler.toml', persist });
  return { db: proxy.env.DB, close: () => proxy.dispose() };
}

/**
 * Applies migrations, each as a whole with its note. All statements of one go to a local database as one text, which
 * saves a second: each that is prepared is a call to another process.
 * @param {D1Database} db
 * @param {Migration[]} migrations
 */
export async function migrate(db, migrations) {
  await db.prepare(noted).run();
  for (const { name, sql } of migrations)
    await db.batch([db.prepare(`${sql};\ninsert into d1_migrations (name) values ('${name}')`)]);
}

/**
 * The SQL of a schema element in its present form. Databases that were migrated before D1 was known to end a trigger at
 * the END of a CASE hold the trigger `revisions_search` with that CASE, which means the same.
 * @param {unknown} sql
 */
const presentForm = (sql) =>
  String(sql).replace(
    /CASE NEW\.version WHEN 1 THEN NEW\.seq ELSE (\(SELECT .*\)) END,/,
    'iif(NEW.version = 1, NEW.seq, $1),',
  );

/**
 * What a database holds: its tables, indexes, views and triggers, each as one text, and the names of its migrations.
 * @param {D1Database} db
 */
async function look(db) {
  const { results } = await db.prepare('select name, sql from sqlite_master').all();
  const own = results.filter(({ name }) => !/^(_cf_|sqlite_|d1_)/.test(String(name)));
  const notes = results.some(({ name }) => name === 'd1_migrations')
    ? await db.prepare('select name from d1_migrations').all()
    : { results: [] };
  return {
    schema: own.map(({ name, sql }) => `${name}: ${presentForm(sql)}`),
    names: notes.results.map(({ name }) => String(name)),
  };
}

/**
 * The schema that migrations make of an empty database.
 * @param {Migration[]} migrations
 */
async function schemaAfter(migrations) {
  const { db, close } = await openDatabase();
  try {
    await migrate(db, migrations);
    return (await look(db)).schema;
  } finally {
    await close();
  }
}

/**
 * Compares a database with the migrations. It is `foreign` where others made it, be they of the same names: these are not
 * what its tables need.
 * @param {D1Database} db
 * @param {Migration[]} migrations
 * @returns {Promise<{ is: 'empty' | 'foreign' | 'ours', pending: Migration[] }>} with the migrations still to apply
 */
export async function examine(db, migrations) {
  const { schema, names } = await look(db);
  const applied = migrations.filter(({ name }) => names.includes(name));
  const pending = migrations.filter(({ name }) => !names.includes(name));
  if (schema.length === 0) return { is: 'empty', pending };
  if (applied.length === 0 || applied.length < names.length) return { is: 'foreign', pending };
  const expected = await schemaAfter(applied);
  return { is: expected.every((text) => schema.includes(text)) ? 'ours' : 'foreign', pending };
}
