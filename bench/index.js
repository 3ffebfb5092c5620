// `npm run bench`: what each operation costs and how fast it is, beside a bare Worker that does the same by hand. The
// figures are of the machine at hand; the ratios hold for others too.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { readOptions } from '../scripts/tool.js';
import { call } from './client.js';
import { measureEvaluations } from './evaluations.js';
import { measure } from './measure.js';
import { operations } from './operations.js';
import { textOf } from './report.js';
import { seeded } from './seed.js';
import { measureStartup, sizeOf } from './startup.js';
import { bundleConsole, bundleOther, serve } from './workers.js';

/** @typedef {import('./workers.js').Served} Served */
/** @typedef {{ console: string, bare: string, constant: string, empty: string }} Bundles */

const usage = `npm run bench takes: --
  --sizes <numbers>    how many gates there are, separated by commas; 100,10000,100000 where absent
  --seconds <number>   how long each operation is measured; 2 where absent
  --isolates <number>  of how many starts the time is taken; 10 where absent
  --only <text>        operations with this in their name alone; ask: what applications ask
  --json               for programs`;

const values = readOptions(usage, {
  json: { type: 'boolean' },
  sizes: { type: 'string', default: '100,10000,100000' },
  seconds: { type: 'string', default: '2' },
  isolates: { type: 'string', default: '10' },
  only: { type: 'string', default: '' },
});
const sizes = values.sizes.split(',').map(Number);
const [most, seconds] = [Math.max(...sizes), Number(values.seconds)];
const isolates = Number(values.isolates);
const wanted = operations.filter(({ name }) => name.includes(values.only));

const say = (/** @type {string} */ text) => process.stderr.write(`${text}\n`);

/**
 * Starts both Workers on equal databases.
 * @param {Bundles} bundles
 * @param {string} folder
 * @param {number} size
 */
async function start(bundles, folder, size) {
  const own = await seeded(bundles.console, folder, `console-${size}`, size);
  const others = await seeded(bundles.console, folder, `bare-${size}`, size);
  const [console, bare] = await Promise.all([
    serve(bundles.console, own),
    serve(bundles.bare, others),
  ]);
  return { size, console, bare };
}

/**
 * Refuses to compare Workers that do not answer the same.
 * @param {{ size: number, console: Served, bare: Served }} pair
 */
async function checkAlike({ size, console, bare }) {
  for (const { name, call: callOf } of operations) {
    const asked = callOf(0, size);
    if (asked.method !== 'GET') continue;
    const [one, other] = [await call(console.url, asked), await call(bare.url, asked)];
    const answers = [one, other].map(({ body }) => [body.data, body.pagination?.totalItems]);
    if (!isDeepStrictEqual(answers[0], answers[1]))
      throw new Error(`${name} is answered differently`);
  }
}

/**
 * Measures the operations that are asked for, by turns on all sizes.
 * @param {Bundles} bundles
 * @param {string} folder
 */
async function measureOperations(bundles, folder) {
  const pairs = [];
  const figures = [];
  try {
    for (const gates of wanted.length > 0 ? sizes : []) {
      say(`seeding ${gates} gates`);
      pairs.push(await start(bundles, folder, gates));
    }
    for (const pair of pairs) await checkAlike(pair);
    const urls = pairs.map((pair) => ({
      size: pair.size,
      console: pair.console.url,
      bare: pair.bare.url,
    }));
    for (const operation of wanted) {
      say(`measuring: ${operation.name}`);
      figures.push(...(await measure(operation, urls, seconds)));
    }
  } finally {
    await Promise.all(
      pairs.flatMap((pair) => [pair.console, pair.bare]).map(({ server }) => server.dispose()),
    );
  }
  return figures;
}

/** @param {string} folder */
async function run(folder) {
  say('bundling');
  const bundles = {
    console: await bundleConsole(join(folder, 'console')),
    bare: bundleOther('bare', folder),
    constant: bundleOther('constant', folder),
    empty: bundleOther('empty', folder),
  };
  const size = {
    console: sizeOf(bundles.console),
    bare: sizeOf(bundles.bare),
    empty: sizeOf(bundles.empty),
  };
  say('starting');
  const startup = await measureStartup(bundles, isolates);
  const figures = await measureOperations(bundles, folder);
  const evaluations = await measureEvaluations(bundles, folder, {
    most,
    seconds,
    isolates,
    only: values.only,
    say,
  });
  return { operations: figures, evaluations, size, startup };
}

const folder = mkdtempSync(join(tmpdir(), 'bench-'));
try {
  const results = await run(folder);
  process.stdout.write(`${values.json ? JSON.stringify(results, null, 2) : textOf(results)}\n`);
} finally {
  rmSync(folder, { recursive: true });
}
