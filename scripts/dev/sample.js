// Loads the sample project through the API, so that it has a history.
import { randomUUID } from 'node:crypto';
import { sampleAt } from '../../drizzle/sample/index.js';
import { startServer } from './server.js';

/**
 * Runs of the scheduler that load the results of the sample project, and some more. A run has at most 20 round trips, so
 * they take some seconds.
 */
export const runsForResults = 45;

/**
 * @param {import('./server.js').Server} server
 * @param {string} key
 */
async function send(server, key) {
  const headers = { 'SERVICE-API-KEY': key, 'Content-Type': 'application/json' };
  for (const [method, path, body] of sampleAt(Date.now())) {
    const request = {
      method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
    };
    const response = await server.fetch(`/console/v1/${path}`, request);
    const text = await response.text();
    if (!response.ok)
      throw new Error(`The sample project was not loaded: ${method} ${path}: ${text}`);
  }
}

/**
 * Loads the sample project into the database of a folder, through a temporary server with a random key.
 * @param {string} folder
 */
export async function loadSample(folder) {
  const key = randomUUID();
  const variables = { ROOT_API_KEY: key, CHANGE_LIMIT: 'none' };
  const server = await startServer(folder, 0, variables);
  try {
    await Promise.race([server.broken, send(server, key)]);
  } finally {
    await server.stop();
  }
}
