// How fast applications are answered, beside a Worker that answers the same bytes without a thought.
import { call, send } from './client.js';
import { measure, median, runner } from './measure.js';
import { gateID, seeded } from './seed.js';
import { cpuSeconds, serve, workers } from './workers.js';

/** @typedef {import('./operations.js').Operation} Operation */
/** @typedef {import('./workers.js').Served} Served */
/** @typedef {import('./measure.js').Figures & { cpu: number }} Figures `cpu`: milliseconds of a call, beyond those of the constant */
/** @typedef {{ size: number, milliseconds: number }} ColdStart */

const email = (/** @type {number} */ n) => `u-${n}@${n % 3 ? 'mail' : 'shop'}.example`;

/** @param {string} path */
const ofrep = (path) => (/** @type {number} */ n) => ({
  method: 'POST',
  path: `/ofrep/v1/evaluate/flags${path}`,
  body: { context: { targetingKey: `u-${n}`, email: email(n), country: 'DE' } },
});

const initialize = (/** @type {number} */ n) => ({
  method: 'POST',
  path: '/v1/initialize',
  body: { user: { userID: `u-${n}`, email: email(n), country: 'DE' } },
});

const download = () => ({ method: 'GET', path: '/v1/download_config_specs' });

/** What applications ask, by how many flags there are: each time for another user. @type {Map<number, Operation[]>} */
const asked = new Map([
  [10, [{ name: 'ask all flags', call: ofrep('') }]],
  [
    100,
    [
      { name: 'ask one flag', call: (n) => ofrep(`/${gateID(n % 100)}`)(n) },
      { name: 'ask all flags', call: ofrep('') },
      { name: 'ask all flags, one at a time', clients: 1, call: ofrep('') },
      { name: 'ask initialize', call: initialize },
    ],
  ],
  [
    1000,
    [
      { name: 'ask all flags', call: ofrep('') },
      { name: 'ask initialize', call: initialize },
    ],
  ],
  [10_000, [{ name: 'ask download', call: download }]],
]);

/** So many flags have those whose first answer is timed. */
const coldSizes = [100, 10_000];

/**
 * How long the first answer of an isolate takes that knows nothing of the project; the Worker itself has started.
 * @param {string} script
 * @param {string} folder
 */
async function firstAnswer(script, folder) {
  const { server, url } = await serve(script, folder);
  try {
    await send(url, { method: 'GET', path: '/problems/invalid' });
    const start = performance.now();
    await call(url, ofrep(`/${gateID(1)}`)(1));
    return performance.now() - start;
  } finally {
    await server.dispose();
  }
}

/**
 * How many milliseconds of the processor a call takes.
 * @param {Operation} operation
 * @param {Served & { pid: number | undefined }} served
 * @param {number} seconds for how long it is called
 */
async function cpuOf(operation, { url, pid }, seconds) {
  const { callFor } = runner(operation, { url, size: 0 });
  const before = cpuSeconds(pid);
  const { latencies } = await callFor(seconds);
  return ((cpuSeconds(pid) - before) * 1000) / latencies.length;
}

/**
 * Starts a Worker, and finds its process.
 * @param {string} script
 * @param {string} folder
 */
async function start(script, folder) {
  const others = workers();
  const served = await serve(script, folder);
  return { ...served, pid: workers().find((pid) => !others.includes(pid)) };
}

/**
 * Measures what is asked where there are so many flags.
 * @param {{ console: string, constant: string }} bundles
 * @param {string} folder
 * @param {{ size: number, seconds: number, wanted: Operation[] }} options
 */
async function measureAt(bundles, folder, { size, seconds, wanted }) {
  const console = await start(bundles.console, folder);
  const constant = await start(bundles.constant, `${folder}-constant`);
  /** @type {Figures[]} */
  const figures = [];
  try {
    for (const operation of wanted) {
      const { text } = await send(console.url, operation.call(0, size));
      await send(constant.url, { method: 'PUT', path: '/', body: JSON.parse(text) });
      const pair = { size, console: console.url, bare: constant.url };
      const speeds = await measure(operation, [pair], seconds);
      const cpu =
        (await cpuOf(operation, console, seconds)) - (await cpuOf(operation, constant, seconds));
      figures.push(...speeds.map((speed) => ({ ...speed, cpu })));
    }
  } finally {
    await Promise.all([console, constant].map(({ server }) => server.dispose()));
  }
  return figures;
}

/**
 * Measures all that applications ask, of at most so many flags.
 * @param {{ console: string, constant: string }} bundles
 * @param {string} folder
 * @param {{ most: number, seconds: number, isolates: number, only: string, say: (text: string) => void }} options
 *   `isolates`: how many that know nothing are timed
 */
export async function measureEvaluations(bundles, folder, { most, seconds, isolates, only, say }) {
  /** @type {Figures[]} */
  const figures = [];
  /** @type {ColdStart[]} */
  const coldStarts = [];
  for (const [size, all] of [...asked].filter(([size]) => size <= most)) {
    const wanted = all.filter(({ name }) => name.includes(only));
    if (wanted.length === 0) continue;
    say(`evaluating ${size} flags`);
    const own = await seeded(bundles.console, folder, `flags-${size}`, size);
    figures.push(...(await measureAt(bundles, own, { size, seconds, wanted })));
    if (!coldSizes.includes(size)) continue;
    const times = [];
    while (times.length < isolates) times.push(await firstAnswer(bundles.console, own));
    coldStarts.push({ size, milliseconds: median(times) });
  }
  return { figures, coldStarts };
}
