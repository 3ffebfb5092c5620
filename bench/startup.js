// How large a Worker is, and how long it takes from nothing to its first answer.
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { median } from './measure.js';
import { serveFresh } from './workers.js';

/**
 * The size of a bundle.
 * @param {string} path
 * @returns {Size}
 */
export function sizeOf(path) {
  const text = readFileSync(path);
  return { minified: text.length, gzipped: gzipSync(text).length };
}

/** @typedef {{ minified: number, gzipped: number }} Size in bytes */
/** @typedef {{ console: number, empty: number, ratio: number }} Startup in milliseconds */

/**
 * How many milliseconds a new isolate of each Worker takes for its first answer, which needs no database; by turns.
 * @param {{ console: string, empty: string }} bundles
 * @param {number} isolates how many of each are timed
 * @returns {Promise<Startup>}
 */
export async function measureStartup(bundles, isolates) {
  const { server, url } = await serveFresh(bundles);
  const first = async (/** @type {string} */ name, /** @type {number} */ n) => {
    const start = performance.now();
    const answer = await fetch(new URL(`${name}/${n}/problems/invalid`, url));
    await answer.text();
    if (!answer.ok) throw new Error(`the first answer of ${name} is ${answer.status}`);
    return performance.now() - start;
  };
  const pairs = [];
  try {
    for (let n = 0; n <= isolates; n++)
      pairs.push({ console: await first('console', n), empty: await first('empty', n) });
  } finally {
    await server.dispose();
  }
  const [, ...warm] = pairs; // the first of each warms up the server
  return {
    console: median(warm.map(({ console }) => console)),
    empty: median(warm.map(({ empty }) => empty)),
    ratio: median(warm.map(({ console, empty }) => console / empty)),
  };
}
