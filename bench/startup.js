// Measures the size of a Worker, and its time from a cold start to the first response.
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { median } from './measure.js';
import { serveFresh } from './workers.js';

/**
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
 * Returns the median time to the first response of a new isolate, without the database, of both Workers in turn.
 * @param {{ console: string, empty: string }} bundles
 * @param {number} isolates the number of each to measure
 * @returns {Promise<Startup>}
 */
export async function measureStartup(bundles, isolates) {
  const { server, url } = await serveFresh(bundles);
  const first = async (/** @type {string} */ name, /** @type {number} */ n) => {
    const start = performance.now();
    const response = await fetch(new URL(`${name}/${n}/problems/invalid`, url));
    await response.text();
    if (!response.ok) throw new Error(`the first response of ${name} is ${response.status}`);
    return performance.now() - start;
  };
  const pairs = [];
  try {
    for (let n = 0; n <= isolates; n++)
      pairs.push({ console: await first('console', n), empty: await first('empty', n) });
  } finally {
    await server.dispose();
  }
  const [, ...warm] = pairs; // the first pair is a warm-up
  return {
    console: median(warm.map(({ console }) => console)),
    empty: median(warm.map(({ empty }) => empty)),
    ratio: median(warm.map(({ console, empty }) => console / empty)),
  };
}
