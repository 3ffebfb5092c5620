// The values in wrangler.toml that a deployment depends on.
import { readFileSync, writeFileSync } from 'node:fs';

const file = 'wrangler.toml';

/** The `database_id` of a clone that was never deployed. */
export const placeholder = '00000000-0000-0000-0000-000000000000';

/**
 * Returns the text value of a key that occurs once in the file.
 * @param {string} text
 * @param {string} key
 * @throws Error if it is missing
 */
function textOf(text, key) {
  const value = text.match(new RegExp(`^${key}\\s*=\\s*["']([^"'\\n]+)["']`, 'm'))?.[1];
  if (value !== undefined) return value;
  throw new Error(`${file} has no line \`${key} = "…"\`: add it.`);
}

/** Returns the Worker's name, and the name and ID of its database. */
export function readConfig() {
  const text = readFileSync(file, 'utf8');
  return {
    worker: process.env.WRANGLER_CI_OVERRIDE_NAME ?? textOf(text, 'name'),
    database: textOf(text, 'database_name'),
    databaseId: textOf(text, 'database_id'),
  };
}

/**
 * Replaces the placeholder in wrangler.toml, and nothing else.
 * @param {string} id
 */
export const writeDatabaseId = (id) =>
  writeFileSync(file, readFileSync(file, 'utf8').replace(placeholder, id));
