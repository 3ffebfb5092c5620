// Measures the endpoints of applications against a Worker that returns the same bytes as a constant.
import { call, send } from './client.js';
import { measure, median, runner } from './measure.js';
import { gateID, seeded } from './seed.js';
import { cpuSeconds, serve, workerProcesses } from './workers.js';

/** @typedef {import('./operations.js').Operation} Operation */
/** @typedef {import('./workers.js').Served} Served */
/** @typedef {import('./measure.js').Figures & { cpu: number }} Figures `cpu`: milliseconds of a call, minus the constant Worker */
/** @typedef {{ size: number, milliseconds: number, cpu: number }} ColdStart `cpu`: milliseconds of CPU */

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

/** Operations by number of flags; each call is for another user. @type {Map<number, Operation[]>} */
const operationsBySize = new Map([
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

/** Numbers of flags for which the first response is timed. */
const coldSizes = [100, 10_000];

/**
 * Returns the milliseconds, and those of CPU, to the first response of a started isolate without a project snapshot.
 * @param {string} script
 * @param {string} folder
 */
async function firstResponse(script, folder) {
  const { server, url, pid } = await start(script, folder);
  try {
    await send(url, { method: 'GET', path: '/problems/invalid' });
    const [began, before] = [performance.now(), cpuSeconds(pid)];
    await call(url, ofrep(`/${gateID(1)}`)(1));
    const milliseconds = performance.now() - began;
    return { milliseconds, cpu: (cpuSeconds(pid) - before) * 1000 };
  } finally {
    await server.dispose();
  }
}

/**
 * Returns the CPU milliseconds of a call.
 * @param {Operation} operation
 * @param {Served & { pid: number | undefined }} served
 * @param {number} seconds the duration of the measurement
 */
async function cpuOf(operation, { url, pid }, seconds) {
  const { callFor } = runner(operation, { url, size: 0 });
  const before = cpuSeconds(pid);
  const { latencies } = await callFor(seconds);
  return ((cpuSeconds(pid) - before) * 1000) / latencies.length;
}

/**
 * Starts a Worker, and returns it with its process ID.
 * @param {string} script
 * @param {string} folder
 */
async function start(script, folder) {
  const others = workerProcesses();
  const served = await serve(script, folder);
  return { ...served, pid: workerProcesses().find((pid) => !others.includes(pid)) };
}

/**
 * Measures operations with a number of flags.
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
 * Measures all application endpoints with up to `maxFlags` flags.
 * @param {{ console: string, constant: string }} bundles
 * @param {string} folder
 * @param {{ maxFlags: number, seconds: number, isolates: number, only: string, log: (text: string) => void }} options
 *   `isolates`: the number of timed cold starts
 */
export async function measureEvaluations(
  bundles,
  folder,
  { maxFlags, seconds, isolates, only, log },
) {
  /** @type {Figures[]} */
  const figures = [];
  /** @type {ColdStart[]} */
  const coldStarts = [];
  for (const [size, all] of [...operationsBySize].filter(([size]) => size <= maxFlags)) {
    const wanted = all.filter(({ name }) => name.includes(only));
    if (wanted.length === 0) continue;
    log(`evaluating ${size} flags`);
    const own = await seeded(bundles.console, folder, `flags-${size}`, size);
    figures.push(...(await measureAt(bundles, own, { size, seconds, wanted })));
    if (!coldSizes.includes(size)) continue;
    /** @type {{ milliseconds: number, cpu: number }[]} */
    const times = [];
    while (times.length < isolates) times.push(await firstResponse(bundles.console, own));
    const medianOf = (/** @type {'milliseconds' | 'cpu'} */ figure) =>
      median(times.map((time) => time[figure]));
    coldStarts.push({ size, milliseconds: medianOf('milliseconds'), cpu: medianOf('cpu') });
  }
  return { figures, coldStarts };
}
