// What stands before the local server: a database that fits, and where there was none, as a rule with the sample project in it.
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { examine, migrate, openDatabase, readMigrations } from './database.js';
import { isRunning } from './lock.js';
import { loadSample } from './sample.js';

/** Where wrangler keeps the files of databases below a folder. */
const files = join('v3', 'd1', 'miniflare-D1DatabaseObject');

/**
 * Removes the drafts of starts that were interrupted.
 * @param {string} folder
 */
function removeDrafts(folder) {
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    const pid = Number(name.match(/^loading-(\d+)$/)?.[1]);
    if (pid && !isRunning(pid)) rmSync(join(folder, name), { recursive: true });
  }
}

/**
 * Moves the files of a database, in place of an empty one's. The main file goes last: until it is there, there is no
 * database, whatever else is.
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
 * Migrates the database that a folder has.
 * @param {string} folder
 * @param {import('./database.js').Migration[]} migrations
 * @returns {Promise<'kept' | 'foreign' | 'none'>} `none` where there is none, or an empty one
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
 * Makes the database of a folder: migrated, with the sample project where it is wanted. Interrupted, it leaves none; one
 * that another start has made meanwhile, and serves, is kept.
 * @param {string} folder
 * @param {import('./database.js').Migration[]} migrations
 * @param {boolean} withSample
 */
async function makeDatabase(folder, migrations, withSample) {
  const draft = join(folder, `loading-${process.pid}`); // until it is whole; named after who makes it
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
 * Makes the database of a folder ready to be served.
 * @param {string} folder
 * @param {boolean} [withSample] whether a new one holds the sample project
 * @returns {Promise<'made' | 'kept' | 'foreign'>} `foreign`, and untouched, where other migrations made it
 */
export async function prepareDatabase(folder, withSample = true) {
  const migrations = readMigrations();
  removeDrafts(folder);
  const known = await keepDatabase(folder, migrations);
  return known === 'none' ? await makeDatabase(folder, migrations, withSample) : known;
}
