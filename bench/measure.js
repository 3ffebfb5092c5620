// Measures a call on several servers in turn, so that other load on the machine affects all of them equally.
import { call, send } from './client.js';
import { clients as usualClients } from './operations.js';

/** @typedef {import('./operations.js').Operation} Operation */
/** @typedef {{ url: URL, size: number }} Target a server and its number of gates */
/** @typedef {{ latencies: number[], perSecond: number }} Slice */
/** @typedef {{ perSecond: number, p50: number, p99: number }} Speed calls a second, and milliseconds */
/**
 * @typedef {{ operation: string, size: number, trips: number, read: number, written: number, console: Speed,
 *   bare: Speed, ratio: Speed }} Figures `ratio` is console to bare
 */

const maxSliceSeconds = 0.1;

/**
 * Returns the quantile of a share of the values.
 * @param {number[]} values
 * @param {number} share
 */
export function quantile(values, share) {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

/** @param {number[]} values */
export const median = (values) => quantile(values, 0.5);

/**
 * Reads the database cost of an operation.
 * @param {string} timing the header Server-Timing
 */
function costOf(timing) {
  const figure = (/** @type {string} */ name) =>
    Number(timing.match(`${name};desc="(\\d+)"`)?.[1] ?? Number.NaN);
  return { trips: figure('trips'), read: figure('rows_read'), written: figure('rows_written') };
}

/**
 * Returns functions that call an operation on one server; no two calls are equal.
 * @param {Operation} operation
 * @param {Target} target
 */
export function runner({ call: callOf, clients = usualClients }, { url, size }) {
  /** The number of calls by client. */
  const turns = Array.from({ length: clients }, () => 0);
  const next = (/** @type {number} */ client) => {
    const turn = turns[client] ?? 0;
    turns[client] = turn + 1;
    return callOf(clients * turn + client, size);
  };

  /** Calls once, and returns the cost. */
  async function once() {
    const { headers } = await call(url, next(0));
    return costOf(String(headers['server-timing'] ?? ''));
  }

  /**
   * Calls as often as possible.
   * @param {number} seconds
   * @returns {Promise<Slice>}
   */
  async function callFor(seconds) {
    /** @type {number[]} */
    const latencies = [];
    const start = performance.now();
    const work = async (/** @type {number} */ client) => {
      while (performance.now() < start + seconds * 1000) {
        const wanted = next(client);
        const sent = performance.now();
        const { status, text } = await send(url, wanted);
        if (status >= 300) throw new Error(`${wanted.method} ${wanted.path}: ${status} ${text}`);
        latencies.push(performance.now() - sent);
      }
    };
    await Promise.all(turns.map((_, client) => work(client)));
    return { latencies, perSecond: (latencies.length * 1000) / (performance.now() - start) };
  }

  return { once, callFor };
}

/** @param {Slice[]} slices */
function summary(slices) {
  const latencies = slices.flatMap((slice) => slice.latencies);
  return {
    perSecond: median(slices.map(({ perSecond }) => perSecond)),
    p50: median(latencies),
    p99: quantile(latencies, 0.99),
  };
}

/**
 * Measures an operation at each size, on the console and the bare Worker in turn. A first turn is a warm-up.
 * @param {Operation} operation
 * @param {{ size: number, console: URL, bare: URL }[]} pairs
 * @param {number} seconds the total for each server
 * @returns {Promise<Figures[]>}
 */
export async function measure(operation, pairs, seconds) {
  const runs = pairs.map(({ size, console, bare }) => ({
    size,
    console: runner(operation, { url: console, size }),
    bare: runner(operation, { url: bare, size }),
    cost: { trips: 0, read: 0, written: 0 },
    /** @type {{ console: Slice, bare: Slice }[]} */
    turns: [],
  }));
  for (const run of runs) run.cost = await run.console.once();
  const slice = Math.min(maxSliceSeconds, seconds);
  for (let spent = -slice; spent < seconds; spent += slice)
    for (const { console, bare, turns } of runs)
      turns.push({ console: await console.callFor(slice), bare: await bare.callFor(slice) });
  return runs.map(({ size, cost, turns: [, ...turns] }) => {
    const [console, bare] = [
      summary(turns.map((turn) => turn.console)),
      summary(turns.map((turn) => turn.bare)),
    ];
    const perSecond = median(turns.map((turn) => turn.console.perSecond / turn.bare.perSecond));
    const ratio = { perSecond, p50: console.p50 / bare.p50, p99: console.p99 / bare.p99 };
    return { operation: operation.name, size, ...cost, console, bare, ratio };
  });
}
