// The sample project, loaded by the calls that build it, so that it has a history.
import { randomUUID } from 'node:crypto';
import { sample } from '../../drizzle/sample/index.js';
import { startServer } from './server.js';

/**
 * Makes the calls of the sample project.
 * @param {import('./server.js').Server} server
 * @param {string} key
 */
async function send(server, key) {
  const headers = { 'SERVICE-API-KEY': key, 'Content-Type': 'application/json' };
  for (const [method, path, body] of sample) {
    const request = {
      method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
    };
    const answer = await server.fetch(`/console/v1/${path}`, request);
    const text = await answer.text();
    if (!answer.ok)
      throw new Error(`The sample project was not loaded: ${method} ${path}: ${text}`);
  }
}

/**
 * Loads the sample project into the database of a folder, by a server that nobody else knows the key of.
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
