// The Worker, served by wrangler within this process: its requests reach this very server, and it ends with the process.
import { withoutPage } from '../tool.js';
import { withoutErrors } from './screen.js';
import { unstable_startWorker } from './wrangler.js';

/** The host that requests name; they go to the server whatever it is. */
const host = 'http://localhost';

/** What runs the scheduled work; wrangler puts it before the Worker in local development alone. */
const cron = '/__scheduled';

/** How often the cron trigger of wrangler.toml runs, in milliseconds. */
const minute = 60_000;

/** @typedef {Awaited<ReturnType<typeof startServer>>} Server */
/** @typedef {{ method: string, headers: Record<string, string>, body?: string }} Options */

/** Wrangler's own words around an error say less than what caused it. */
const causeOf = (/** @type {Error} */ error) => {
  throw error.cause ?? error;
};

/**
 * Serves the Worker on the database of a folder, and again with each change of its code; the console page, as it lies there.
 * @param {string} folder
 * @param {number} port 0 for any
 * @param {Record<string, string>} [variables] they go before those of `.dev.vars`
 */
export async function startServer(folder, port, variables = {}) {
  Object.assign(process.env, withoutPage); // wrangler runs `[build]` once before it reads what follows
  const worker = await unstable_startWorker({
    config: 'wrangler.toml',
    bindings: Object.fromEntries(
      Object.entries(variables).map(([name, value]) => [name, { type: 'plain_text', value }]),
    ),
    build: {
      nodejsCompatMode: 'v2', // as the flag in wrangler.toml has it, which is not read here
      custom: { command: '' }, // with one, wrangler would not look at the Worker's own code
    },
    // Two servers that start at once would take one port for their inspectors, and one of them never be ready.
    dev: { persist: folder, server: { port }, testScheduled: true, inspector: false },
  })
    .catch(causeOf)
    .finally(() => delete process.env.PAGE);
  /** @type {Promise<never>} */
  const broken = new Promise((_, reject) => worker.raw.once('error', reject));
  return {
    /** Fails when the server cannot go on, such as without its port. */
    broken,
    /**
     * @param {string} path
     * @param {Options} [request]
     */
    fetch: (path, request) => worker.fetch(`${host}${path}`, request),
    /** Runs the scheduled work once. */
    runScheduled: () => worker.fetch(`${host}${cron}`).then((answer) => answer.text()),
    port: async () => Number((await worker.url).port),
    // Wrangler removes what it bundled before it ends the watcher of that, which may find it gone and say so.
    stop: () => withoutErrors(() => worker.dispose()),
  };
}

/**
 * Does something each minute, first in a minute; what fails shows on the screen by itself, and is tried again.
 * @param {() => Promise<unknown>} work
 */
export function eachMinute(work) {
  setTimeout(() => {
    work()
      .catch(() => undefined)
      .finally(() => eachMinute(work));
  }, minute);
}

/**
 * Does something some times in a row; what fails is left to the next minute.
 * @param {number} times
 * @param {() => Promise<unknown>} work
 */
export async function inARow(times, work) {
  for (let time = 0; time < times; time++) await work().catch(() => undefined);
}
