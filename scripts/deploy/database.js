// The D1 database of a deployment.
import { placeholder, readConfig, writeDatabaseId } from './config.js';
import { wrangler } from './wrangler.js';

/**
 * Returns the ID of the account's database with a name, if there is one.
 * @param {string} name
 * @returns {Promise<string | undefined>}
 */
async function findDatabase(name) {
  const list = JSON.parse(await wrangler(['d1', 'list', '--json']));
  return list.find((/** @type {{ name: string }} */ database) => database.name === name)?.uuid;
}

/**
 * Creates a database and returns its ID.
 * @param {string} name
 */
async function createDatabase(name) {
  const output = await wrangler(['d1', 'create', name]);
  const id = output.match(/database_id"?\s*[=:]\s*"([^"]+)"/)?.[1];
  if (id) return id;
  throw new Error(`wrangler created the database ${name} without naming its ID.`);
}

/**
 * Writes the database's ID into wrangler.toml unless one is there. Finds the database by its name, or creates it.
 * @returns {Promise<string>} what was done
 */
export async function prepareDatabase() {
  const { database, databaseId } = readConfig();
  if (databaseId !== placeholder) return `wrangler.toml names ${databaseId}`;
  const found = await findDatabase(database);
  const id = found ?? (await createDatabase(database));
  writeDatabaseId(id);
  return `${found ? 'found' : 'created'} ${database}, and wrote its ID ${id} into wrangler.toml`;
}

/**
 * Applies the migrations that the database does not have yet.
 * @returns {Promise<string>} what was done
 */
export async function migrateDatabase() {
  // Its output is shown only if it fails: it calls the database a preview, because wrangler.toml names a local one, too.
  const output = await wrangler(['d1', 'migrations', 'apply', 'DB', '--remote']);
  return output.includes('No migrations to apply') ? 'nothing to apply' : 'applied';
}
