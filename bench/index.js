// `npm run bench`: measures the cost and speed of each operation, and compares it with a bare Worker. The times depend on
// the machine; the ratios hardly do.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { readOptions } from '../scripts/tool.js';
import { measureCheck } from './check.js';
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
  --sizes <numbers>    numbers of gates, separated by commas; default: 100,10000,100000
  --seconds <number>   seconds for each operation; default: 2
  --isolates <number>  number of timed starts; default: 10
  --only <text>        only operations with this text in their name; ask: endpoints of applications
  --json               prints JSON and nothing else`;

const values = readOptions(usage, {
  json: { type: 'boolean' },
  sizes: { type: 'string', default: '100,10000,100000' },
  seconds: { type: 'string', default: '2' },
  isolates: { type: 'string', default: '10' },
  only: { type: 'string', default: '' },
});
const sizes = values.sizes.split(',').map(Number);
const [maxFlags, seconds] = [Math.max(...sizes), Number(values.seconds)];
const isolates = Number(values.isolates);
const wanted = operations.filter(({ name }) => name.includes(values.only));

const log = (/** @type {string} */ text) => process.stderr.write(`${text}\n`);

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
 * Checks that both Workers return equal data, so that comparing them is fair.
 * @param {{ size: number, console: Served, bare: Served }} pair
 */
async function checkEqual({ size, console, bare }) {
  for (const { name, call: callOf } of operations) {
    const request = callOf(0, size);
    if (request.method !== 'GET') continue;
    const [one, other] = [await call(console.url, request), await call(bare.url, request)];
    const contents = [one, other].map(({ body }) => [body.data, body.pagination?.totalItems]);
    if (!isDeepStrictEqual(contents[0], contents[1]))
      throw new Error(`the Workers return different data for: ${name}`);
  }
}

/**
 * Measures the selected operations at all sizes in turn.
 * @param {Bundles} bundles
 * @param {string} folder
 */
async function measureOperations(bundles, folder) {
  const pairs = [];
  const figures = [];
  try {
    for (const gates of wanted.length > 0 ? sizes : []) {
      log(`seeding ${gates} gates`);
      pairs.push(await start(bundles, folder, gates));
    }
    for (const pair of pairs) await checkEqual(pair);
    const urls = pairs.map((pair) => ({
      size: pair.size,
      console: pair.console.url,
      bare: pair.bare.url,
    }));
    for (const operation of wanted) {
      log(`measuring: ${operation.name}`);
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
  log('bundling');
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
  log('starting');
  const startup = await measureStartup(bundles, isolates);
  const check = await measureCheck(folder, seconds);
  const figures = await measureOperations(bundles, folder);
  const evaluations = await measureEvaluations(bundles, folder, {
    maxFlags,
    seconds,
    isolates,
    only: values.only,
    log,
  });
  return { operations: figures, evaluations, check, size, startup };
}

const folder = mkdtempSync(join(tmpdir(), 'bench-'));
try {
  const results = await run(folder);
  process.stdout.write(`${values.json ? JSON.stringify(results, null, 2) : textOf(results)}\n`);
} finally {
  rmSync(folder, { recursive: true });
}
