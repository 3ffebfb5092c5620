// Concurrent clients that read and change gates, and count the responses.
import { call, send } from '../client.js';

/** @typedef {import('../client.js').Call} Call */

/** Expected statuses: rate limited, or another change was first. */
const allowed = new Set([409, 412, 429]);

/** The gates that all clients share. */
const gateCount = 32;

/**
 * @typedef {object} Tally
 * @property {number[]} times of each response, in milliseconds
 * @property {number} acknowledged the number of changes with a success response
 * @property {number} refused
 * @property {string[]} errors unexpected responses
 */

/** @param {number} index */
const gateID = (index) => `load_${index % gateCount}`;

/**
 * Creates the shared gates.
 * @param {URL} url
 */
export async function makeGates(url) {
  for (let index = 0; index < gateCount; index++) {
    const body = { name: gateID(index), id: gateID(index) };
    await call(url, { method: 'POST', path: 'gates', body });
  }
}

/**
 * @param {string} path
 * @returns {Call}
 */
const get = (path) => ({ method: 'GET', path });

/**
 * Returns the next request: seven of ten are reads, the others are changes.
 * @param {number} client
 * @param {number} count
 * @returns {Call}
 */
function next(client, count) {
  const id = gateID(client * 7 + count);
  // A unique text, so that each change creates a version.
  const description = `${client}.${count} at ${performance.now()}`;
  const patch = { method: 'PATCH', path: `gates/${id}` };
  switch (count % 10) {
    case 0:
      return get('gates?limit=20');
    case 1:
      return get(`gates?limit=20&tags=t${client % 4}`);
    case 2:
      return get(`gates/${id}/versions?limit=5`);
    case 3:
      return get('audit_logs?limit=20');
    case 4:
      return { ...patch, body: { description }, headers: { 'If-Match': '"1"' } };
    case 5:
    case 6:
      return { ...patch, body: { description, tags: [`t${client % 4}`] } };
    default:
      return get(`gates/${id}`);
  }
}

/**
 * Runs concurrent clients until a time. Each waits for its response before the next request.
 * @param {URL} url
 * @param {number} clients
 * @param {number} end in epoch milliseconds
 * @returns {Promise<Tally>}
 */
export async function run(url, clients, end) {
  /** @type {Tally} */
  const tally = { times: [], acknowledged: 0, refused: 0, errors: [] };
  const client = async (/** @type {number} */ number) => {
    for (let count = number; Date.now() < end; count++) {
      const started = performance.now();
      const { status, text } = await send(url, next(number, count));
      tally.times.push(performance.now() - started);
      if (status === 200 && [4, 5, 6].includes(count % 10)) tally.acknowledged += 1;
      if (allowed.has(status)) tally.refused += 1;
      else if (status !== 200) tally.errors.push(`${status} ${text}`);
    }
  };
  const all = Array.from({ length: clients }, (_, number) => client(number));
  for (const result of await Promise.allSettled(all))
    if (result.status === 'rejected') tally.errors.push(String(result.reason));
  return tally;
}

/**
 * Returns the sum of two tallies.
 * @param {Tally} one
 * @param {Tally} other
 * @returns {Tally}
 */
export const combined = (one, other) => ({
  times: [...one.times, ...other.times],
  acknowledged: one.acknowledged + other.acknowledged,
  refused: one.refused + other.refused,
  errors: [...one.errors, ...other.errors],
});

/**
 * Returns the number of versions of all gates, by the gates and by the audit log.
 * @param {URL} url
 */
export async function countVersions(url) {
  const { body } = await call(url, get(`gates?limit=${gateCount}`));
  const logged = await call(url, get('audit_logs?kind=gate&limit=1'));
  const versions = body.data.map((/** @type {{ version: number }} */ { version }) => version);
  return {
    versions: versions.reduce(
      (/** @type {number} */ sum, /** @type {number} */ each) => sum + each,
      0,
    ),
    logged: logged.body.pagination.totalItems,
  };
}
