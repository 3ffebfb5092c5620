// `npm run bench:reads`: measures reads of the console while the scheduler loads results, compared with reads of an idle console.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { migrate, readMigrations } from '../scripts/dev/database.js';
import { holdScreen } from '../scripts/dev/screen.js';
import { readOptions } from '../scripts/tool.js';
import { call } from './client.js';
import { quantile } from './measure.js';
import { bundleConsole, runScheduled, serve } from './workers.js';

const usage = `npm run bench:reads takes: --
  --metrics <number>  metrics of the experiment; default: 50
  --units <number>    exposed units; default: 10000
  --events <number>   events of these units; default: 30000
  --runs <number>     runs of the scheduler; default: 20
  --every <number>    milliseconds between two reads; default: 20`;

const values = readOptions(usage, {
  metrics: { type: 'string', default: '50' },
  units: { type: 'string', default: '10000' },
  events: { type: 'string', default: '30000' },
  runs: { type: 'string', default: '20' },
  every: { type: 'string', default: '20' },
});
const every = Number(values.every);

const day = 86_400_000;
const idleSeconds = 10;
const maxBatch = 1000;
const eventNames = 4;

/**
 * Sends items in batches.
 * @param {URL} url
 * @param {'exposures' | 'events'} path
 * @param {object[]} items
 */
async function report(url, path, items) {
  for (let from = 0; from < items.length; from += maxBatch)
    await call(url, {
      method: 'POST',
      path,
      body: { [path]: items.slice(from, from + maxBatch) },
    });
}

/**
 * Starts an experiment three days ago, and reports its exposures and events.
 * @param {URL} url
 */
async function makeExperiment(url) {
  const start = Math.floor(Date.now() / day - 3) * day;
  const units = Number(values.units);
  const metrics = Array.from({ length: Number(values.metrics) }, (_, index) => ({
    name: `metric_${index}`,
    type: 'event_count_custom',
    metricEvents: [{ name: `event_${index % eventNames}`, type: 'count' }],
  }));
  for (const body of metrics) await call(url, { method: 'POST', path: 'metrics', body });
  const [primary, ...others] = metrics.map(({ name, type }) => ({ name, type }));
  const { body } = await call(url, {
    method: 'POST',
    path: 'experiments',
    body: {
      name: 'Load',
      primaryMetrics: [primary],
      secondaryMetrics: others,
      groups: ['a', 'b'].map((id) => ({ id, name: id, size: 50 })),
    },
  });
  const { id } = body.data;
  const path = `experiments/${id}/start`;
  await call(url, { method: 'PUT', path, body: { startTime: start } });
  const exposures = Array.from({ length: units }, (_, index) => ({
    kind: 'experiment',
    id,
    unitType: 'userID',
    unit: `u${index}`,
    group: index % 2 === 0 ? 'a' : 'b',
    time: start + index,
  }));
  await report(url, 'exposures', exposures);
  const events = Array.from({ length: Number(values.events) }, (_, index) => ({
    name: `event_${index % eventNames}`,
    userID: `u${index % units}`,
    timestamp: start + units + Math.floor((index / Number(values.events)) * 2.9 * day),
  }));
  await report(url, 'events', events);
}

/**
 * Reads the list of experiments at equal distances, and returns the latencies in milliseconds from the moment at which
 * each read was due: a server that hangs delays all reads behind it.
 * @param {URL} url
 * @param {() => boolean} isOver
 */
async function readWhile(url, isOver) {
  /** @type {Promise<number>[]} */
  const reads = [];
  const start = performance.now();
  while (!isOver()) {
    const due = start + reads.length * every;
    await sleep(Math.max(0, due - performance.now()));
    const read = call(url, { method: 'GET', path: 'experiments?limit=20' });
    reads.push(read.then(() => performance.now() - due));
  }
  return Promise.all(reads);
}

/** @param {import('miniflare').Miniflare} server */
async function runJobs(server) {
  for (let run = 0; run < Number(values.runs); run++) await runScheduled(server);
}

/** @param {number[]} latencies */
const figuresOf = (latencies) => ({
  reads: latencies.length,
  p50: quantile(latencies, 0.5),
  p99: quantile(latencies, 0.99),
  max: Math.max(...latencies),
});

/**
 * @param {string} who
 * @param {ReturnType<typeof figuresOf>} figures
 */
function print(who, { reads, p50, p99, max }) {
  const [median, slow, slowest] = [p50, p99, max].map((ms) => ms.toFixed(1));
  screen.write(
    `${who}: ${reads} reads, median ${median} ms, 99th percentile ${slow} ms, slowest ${slowest} ms\n`,
  );
}

const screen = holdScreen();
const folder = mkdtempSync(join(tmpdir(), 'reads-'));
const options = { unsafeTriggerHandlers: true };
const { server, url } = await serve(await bundleConsole(folder), folder, options);
try {
  await migrate(await server.getD1Database('DB'), readMigrations());
  await makeExperiment(url);
  const until = performance.now() + idleSeconds * 1000;
  const idle = figuresOf(await readWhile(url, () => performance.now() > until));
  let isLoaded = false;
  const load = runJobs(server).finally(() => {
    isLoaded = true;
  });
  const busy = figuresOf(await readWhile(url, () => isLoaded));
  await load;
  print('idle', idle);
  print('during the load', busy);
  screen.write(
    `ratio: median ${(busy.p50 / idle.p50).toFixed(1)}, 99th percentile ${(busy.p99 / idle.p99).toFixed(1)}\n`,
  );
} finally {
  await server.dispose();
  rmSync(folder, { recursive: true, force: true });
}
process.exit();
