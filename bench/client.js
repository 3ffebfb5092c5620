// Calls a server as a client with kept-alive connections does.
import { Agent, request } from 'node:http';
import { rootKey } from './workers.js';

// The server closes what is idle for five seconds; whoever closes first does not run into that.
const agent = new Agent({ keepAlive: true, timeout: 2000 });

/**
 * @typedef {{ method: string, path: string, body?: object, headers?: Record<string, string> }} Call the path is one of the
 *   management, or begins with a slash
 */

const pathOf = (/** @type {string} */ path) =>
  path.startsWith('/') ? path : `/console/v1/${path}`;

/**
 * Sends a call; answers its status, headers and text.
 * @param {URL} url
 * @param {Call} call
 * @returns {Promise<{ status: number, headers: import('node:http').IncomingHttpHeaders, text: string }>}
 */
export function send(url, { method, path, body, headers: further }) {
  const headers = {
    'SERVICE-API-KEY': rootKey,
    ...(body && { 'Content-Type': 'application/json' }),
    ...further,
  };
  return new Promise((resolve, reject) => {
    const target = { host: url.hostname, port: url.port, path: pathOf(path) };
    const sent = request({ ...target, method, headers, agent }, (response) => {
      const { statusCode: status = 0, headers } = response;
      /** @type {Buffer[]} */
      const chunks = [];
      response.on('data', (chunk) => chunks.push(chunk)).on('error', reject);
      response.on('end', () =>
        resolve({ status, headers, text: Buffer.concat(chunks).toString() }),
      );
    });
    sent.on('error', reject).end(body && JSON.stringify(body));
  });
}

/**
 * Makes a call that must succeed, and reads its JSON.
 * @param {URL} url
 * @param {Call} call
 */
export async function call(url, call) {
  const { status, headers, text } = await send(url, call);
  if (status >= 300) throw new Error(`${call.method} ${call.path}: ${status} ${text}`);
  return { headers, body: JSON.parse(text) };
}
