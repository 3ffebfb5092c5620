// Clients that read and change at once, and note what they were told.

/** Statuses that are no fault: too fast, or another change came first. */
const allowed = new Set([409, 412, 429]);

/** How many gates the clients share. */
const gateCount = 32;

/**
 * @typedef {object} Tally
 * @property {number[]} times of each answer, in milliseconds
 * @property {number} acknowledged how many changes were said to be stored
 * @property {number} refused
 * @property {string[]} errors what should not have been answered
 */

/**
 * A caller of the API.
 * @param {string} origin
 * @param {string} key
 */
export function caller(origin, key) {
  /**
   * @param {string} method
   * @param {string} path
   * @param {object} [body]
   * @param {Record<string, string>} [more]
   */
  return async (method, path, body, more = {}) => {
    const headers = { 'SERVICE-API-KEY': key, 'Content-Type': 'application/json', ...more };
    const response = await fetch(`${origin}/console/v1/${path}`, {
      method,
      headers,
      body: body && JSON.stringify(body),
    });
    return { status: response.status, body: JSON.parse(await response.text()) };
  };
}

/** @typedef {ReturnType<typeof caller>} Call */

/** @param {number} index */
const gateID = (index) => `load_${index % gateCount}`;

/**
 * Makes the gates that the clients share.
 * @param {Call} call
 */
export async function makeGates(call) {
  for (let index = 0; index < gateCount; index++) {
    const { status, body } = await call('POST', 'gates', {
      name: gateID(index),
      id: gateID(index),
    });
    if (status !== 201) throw new Error(JSON.stringify(body));
  }
}

/**
 * One request: seven of ten are reads, the rest changes that each make a version.
 * @param {Call} call
 * @param {number} client
 * @param {number} count
 */
function next(call, client, count) {
  const id = gateID(client * 7 + count);
  // No two are alike, so that each makes a version.
  const description = `${client}.${count} at ${performance.now()}`;
  switch (count % 10) {
    case 0:
      return call('GET', 'gates?limit=20');
    case 1:
      return call('GET', `gates?limit=20&tags=t${client % 4}`);
    case 2:
      return call('GET', `gates/${id}/versions?limit=5`);
    case 3:
      return call('GET', 'audit_logs?limit=20');
    case 4:
      return call('PATCH', `gates/${id}`, { description }, { 'If-Match': '"1"' });
    case 5:
    case 6:
      return call('PATCH', `gates/${id}`, { description, tags: [`t${client % 4}`] });
    default:
      return call('GET', `gates/${id}`);
  }
}

/**
 * Lets some clients call, one request after the other each, until a time.
 * @param {Call} call
 * @param {number} clients
 * @param {number} end in epoch milliseconds
 * @returns {Promise<Tally>}
 */
export async function run(call, clients, end) {
  /** @type {Tally} */
  const tally = { times: [], acknowledged: 0, refused: 0, errors: [] };
  const client = async (/** @type {number} */ number) => {
    for (let count = number; Date.now() < end; count++) {
      const started = performance.now();
      const { status, body } = await next(call, number, count);
      tally.times.push(performance.now() - started);
      if (status === 200 && [4, 5, 6].includes(count % 10)) tally.acknowledged += 1;
      if (allowed.has(status)) tally.refused += 1;
      else if (status !== 200) tally.errors.push(`${status} ${JSON.stringify(body)}`);
    }
  };
  const all = Array.from({ length: clients }, (_, number) => client(number));
  for (const result of await Promise.allSettled(all))
    if (result.status === 'rejected') tally.errors.push(String(result.reason));
  return tally;
}

/**
 * What two groups of clients noted, as one.
 * @param {Tally} one
 * @param {Tally} other
 * @returns {Tally}
 */
export const together = (one, other) => ({
  times: [...one.times, ...other.times],
  acknowledged: one.acknowledged + other.acknowledged,
  refused: one.refused + other.refused,
  errors: [...one.errors, ...other.errors],
});

/**
 * How many versions the gates have, and the audit log has of gates.
 * @param {Call} call
 */
export async function countVersions(call) {
  const { body } = await call('GET', `gates?limit=${gateCount}`);
  const logged = await call('GET', 'audit_logs?kind=gate&limit=1');
  const versions = body.data.map((/** @type {{ version: number }} */ { version }) => version);
  return {
    versions: versions.reduce(
      (/** @type {number} */ sum, /** @type {number} */ each) => sum + each,
      0,
    ),
    logged: logged.body.pagination.totalItems,
  };
}
