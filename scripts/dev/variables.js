// The variables of local development, which wrangler reads from `.dev.vars`.
import { constants, copyFileSync, existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseEnv } from 'node:util';

/**
 * Creates the `.dev.vars` of a folder with local values. An existing file stays unchanged.
 * @param {string} folder
 */
export function makeVariables(folder) {
  const local = join(dirname(fileURLToPath(import.meta.url)), 'local.vars');
  const file = join(folder, '.dev.vars');
  try {
    copyFileSync(local, file, constants.COPYFILE_EXCL);
  } catch (error) {
    if (!existsSync(file)) throw error;
  }
}

/** Application keys of local development. SDKs require the prefixes `secret-` and `client-`. */
export const localKeys = { LOCAL_SERVER_KEY: 'secret-local', LOCAL_CLIENT_KEY: 'client-local' };

/**
 * Returns the root key from the `.dev.vars` of a folder.
 * @param {string} folder
 */
export function rootKey(folder) {
  const { ROOT_API_KEY = '' } = parseEnv(readFileSync(join(folder, '.dev.vars'), 'utf8'));
  return ROOT_API_KEY;
}
