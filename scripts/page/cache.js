import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** @param {string} file */
function read(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/**
 * Writes the cache file; ignores a folder that cannot be written.
 * @param {string} file
 * @param {string} text
 */
function write(file, text) {
  const draft = `${file}.${process.pid}`; // another process may be reading the file
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(draft, text);
    renameSync(draft, file);
  } catch {
    rmSync(draft, { force: true });
  }
}

/**
 * Returns the cached value of an input, or computes and caches it.
 * @template {object} Value
 * @param {string} file the cache, which contains only the last value
 * @param {string} input the input, or its hash
 * @param {() => Promise<Value>} compute
 * @returns {Promise<Value>} parsed from JSON
 */
export async function cached(file, input, compute) {
  const last = read(file);
  if (last?.input === input) return last.value;
  const value = await compute();
  write(file, JSON.stringify({ input, value }));
  return value;
}
