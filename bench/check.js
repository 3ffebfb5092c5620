// Measures the evaluation of a gate in this process, without a Worker.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { median } from './measure.js';
import { bundleOther } from './workers.js';

/** @typedef {{ microseconds: number, bytes: number }} Check CPU microseconds of a check, and bytes allocated */

/** A young generation of this size holds all that a slice allocates, so that the heap grows by exactly that. */
const flags = ['--expose-gc', '--min-semi-space-size=16', '--max-semi-space-size=16'];

/**
 * @param {string} folder
 * @param {number} seconds
 * @returns {Promise<Check>}
 */
export async function measureCheck(folder, seconds) {
  const script = bundleOther('checks', folder);
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, script, `${seconds}`]);
  const { microseconds, bytes } = JSON.parse(stdout);
  return { microseconds: median(microseconds), bytes };
}
