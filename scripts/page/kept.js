import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * What is kept in a file, and out of what that was made; nothing where that is none or cannot be read.
 * @param {string} file
 */
function read(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/**
 * Keeps it, where the folder takes it; where not, it is made again.
 * @param {string} file
 * @param {string} text
 */
function keep(file, text) {
  const draft = `${file}.${process.pid}`; // another process may read it meanwhile
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(draft, text);
    renameSync(draft, file);
  } catch {
    rmSync(draft, { force: true });
  }
}

/**
 * What takes long to make, made once: it is kept in a file until something else is to be made.
 * @template {object} Made
 * @param {string} file which holds the last alone
 * @param {string} of out of what it is made, or a hash of that
 * @param {() => Promise<Made>} make
 * @returns {Promise<Made>} as JSON has it
 */
export async function kept(file, of, make) {
  const last = read(file);
  if (last?.of === of) return last.made;
  const made = await make();
  keep(file, JSON.stringify({ of, made }));
  return made;
}
