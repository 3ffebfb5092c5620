// The measured operations. The nth call belongs to client n % clients; no two clients change the same gate.
import { gateID } from './seed.js';

/** @typedef {import('./client.js').Call} Call */
/**
 * @typedef {object} Operation
 * @property {string} name
 * @property {(n: number, size: number) => Call} call
 * @property {number} [clients] the number of concurrent requests, if different from `clients`
 */

/** The number of concurrent requests. */
export const clients = 4;

/**
 * @param {string} path
 * @returns {Call}
 */
const get = (path) => ({ method: 'GET', path });

/**
 * Returns the nth gate of a walk over all gates, in steps of 37, which divides no size.
 * @param {number} n
 * @param {number} size
 */
const anyGate = (n, size) => gateID((n * 37) % size);

/** @param {number} n */
const described = (n) => ({
  description: `A description that has been changed ${n} times.`,
});

/** @param {number} n */
const newGate = (n) => ({
  name: `New ${n}`,
  tags: ['team_1', 'area_1'],
  rules: [{ name: 'Everyone', passPercentage: 100, conditions: [{ type: 'public' }] }],
});

/**
 * Returns 50 changes of different gates, for two clients.
 * @param {number} n
 * @param {number} size
 */
const fiftyChanges = (n, size) =>
  Array.from({ length: 50 }, (_, index) => ({
    method: 'PATCH',
    path: `/console/v1/gates/${anyGate((n % 2) + 2 * (index + 50 * Math.floor(n / 2)), size)}`,
    body: described(n),
  }));

/**
 * Archives and unarchives a gate in turn, except the first one, which rules refer to.
 * @param {number} n
 * @param {number} size
 * @returns {Call}
 */
function archive(n, size) {
  const [client, turn] = [n % clients, Math.floor(n / clients)];
  const id = gateID(1 + client + clients * (Math.floor(turn / 2) % (size / clients - 1)));
  return {
    method: 'PUT',
    path: `gates/${id}/${turn % 2 ? 'unarchive' : 'archive'}`,
    body: {},
  };
}

/** @param {number} n */
const event = (n) => ({
  timestamp: 1767225600000 + n,
  name: 'purchase',
  source: 'shop',
  value: '19.90',
  userID: `u-${n}`,
  metadata: { currency: 'EUR', country: 'DE' },
});

/** @param {number} n */
const thousandEvents = (n) => Array.from({ length: 1000 }, (_, index) => event(n * 1000 + index));

/** @type {Operation[]} */
export const operations = [
  { name: 'read one', call: (n, size) => get(`gates/${anyGate(n, size)}`) },
  { name: 'first page of 10', call: () => get('gates?limit=10') },
  { name: 'first page of 100', call: () => get('gates?limit=100') },
  { name: 'page of 10 by tag', call: (n) => get(`gates?limit=10&tags=area_${n % 50}`) },
  { name: 'audit page of 100', call: () => get('audit_logs?limit=100') },
  {
    name: 'patch',
    call: (n, size) => ({ method: 'PATCH', path: `gates/${anyGate(n, size)}`, body: described(n) }),
  },
  {
    name: '50 changes as one',
    clients: 2,
    call: (n, size) => ({
      method: 'POST',
      path: 'changes',
      body: { changes: fiftyChanges(n, size) },
    }),
  },
  { name: 'create', call: (n) => ({ method: 'POST', path: 'gates', body: newGate(n) }) },
  { name: 'archive, unarchive', call: archive },
  {
    name: 'import of 1,000 events',
    call: (n) => ({ method: 'POST', path: 'events', body: { events: thousandEvents(n) } }),
  },
];
