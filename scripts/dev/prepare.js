// Prepares the database of the local server: migrates the existing one, or creates one, usually with the sample project.
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { examine, migrate, openDatabase, readMigrations } from './database.js';
import { isRunning } from './lock.js';
import { loadSample } from './sample.js';

/** The folder of wrangler for database files. */
const files = join('v3', 'd1', 'miniflare-D1DatabaseObject');

/**
 * Removes the drafts of interrupted starts.
 * @param {string} folder
 */
function removeDrafts(folder) {
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    const pid = Number(name.match(/^loading-(\d+)$/)?.[1]);
    if (pid && !isRunning(pid)) rmSync(join(folder, name), { recursive: true });
  }
}

/**
 * Moves the files of a database over an empty one. The main file is last: without it, wrangler sees no database.
 * @param {string} from
 * @param {string} to
 */
function moveDatabase(from, to) {
  mkdirSync(to, { recursive: true });
  const moved = readdirSync(from).filter((name) => !name.startsWith('metadata.'));
  const [main = '', ...others] = moved.sort((a, b) => a.length - b.length);
  rmSync(join(to, main), { force: true });
  for (const name of [...others, main]) renameSync(join(from, name), join(to, name));
}

/**
 * Migrates the existing database of a folder.
 * @param {string} folder
 * @param {import('./database.js').Migration[]} migrations
 * @returns {Promise<'kept' | 'foreign' | 'none'>} `none` if it is missing or empty
 */
async function keepDatabase(folder, migrations) {
  if (!existsSync(join(folder, files))) return 'none';
  const { db, close } = await openDatabase(folder);
  try {
    const { is, pending } = await examine(db, migrations);
    if (is !== 'ours') return is === 'foreign' ? 'foreign' : 'none';
    await migrate(db, pending);
    return 'kept';
  } finally {
    await close();
  }
}

/**
 * Creates the migrated database of a folder. An interrupted run leaves none. If another process has created one in the
 * meantime, keeps that one.
 * @param {string} folder
 * @param {import('./database.js').Migration[]} migrations
 * @param {boolean} withSample
 */
async function makeDatabase(folder, migrations, withSample) {
  const draft = join(folder, `loading-${process.pid}`); // named after this process; moved when complete
  try {
    const { db, close } = await openDatabase(draft);
    await migrate(db, migrations).finally(close);
    if (withSample) await loadSample(draft);
    const other = await keepDatabase(folder, migrations);
    if (other !== 'none') return other;
    moveDatabase(join(draft, files), join(folder, files));
    return 'made';
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/**
 * Creates or migrates the database of a folder.
 * @param {string} folder
 * @param {boolean} [withSample] whether a new database gets the sample project
 * @returns {Promise<'made' | 'kept' | 'foreign'>} `foreign`, and unchanged, if it has other migrations
 */
export async function prepareDatabase(folder, withSample = true) {
  const migrations = readMigrations();
  removeDrafts(folder);
  const known = await keepDatabase(folder, migrations);
  return known === 'none' ? await makeDatabase(folder, migrations, withSample) : known;
}
