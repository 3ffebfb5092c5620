// The variables of local development, which wrangler reads from `.dev.vars`.
import { constants, copyFileSync, existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseEnv } from 'node:util';

/**
 * Makes the `.dev.vars` of a folder, of local values; one that is there stays as it is.
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

/** The keys of applications in local development, known to it alone; SDKs want their beginnings. */
export const localKeys = { LOCAL_SERVER_KEY: 'secret-local', LOCAL_CLIENT_KEY: 'client-local' };

/**
 * The root key in the `.dev.vars` of a folder.
 * @param {string} folder
 */
export function rootKey(folder) {
  const { ROOT_API_KEY = '' } = parseEnv(readFileSync(join(folder, '.dev.vars'), 'utf8'));
  return ROOT_API_KEY;
}
