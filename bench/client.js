// Sends requests over persistent connections.
import { Agent, request } from 'node:http';
import { rootKey } from './workers.js';

// The server closes connections that are idle for 5 s. Closing them first, after 2 s, avoids failed requests.
const agent = new Agent({ keepAlive: true, timeout: 2000 });

/**
 * @typedef {{ method: string, path: string, body?: object, headers?: Record<string, string> }} Call `path` is relative to
 *   the management API, or begins with a slash
 */

const pathOf = (/** @type {string} */ path) =>
  path.startsWith('/') ? path : `/console/v1/${path}`;

/**
 * Sends a call and returns the response.
 * @param {URL} url
 * @param {Call} call
 * @returns {Promise<{ status: number, headers: import('node:http').IncomingHttpHeaders, text: string }>}
 */
export function send(url, { method, path, body, headers: extraHeaders }) {
  const headers = {
    'SERVICE-API-KEY': rootKey,
    ...(body && { 'Content-Type': 'application/json' }),
    ...extraHeaders,
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
 * Sends a call that must succeed, and returns its JSON.
 * @param {URL} url
 * @param {Call} call
 */
export async function call(url, call) {
  const { status, headers, text } = await send(url, call);
  if (status >= 300) throw new Error(`${call.method} ${call.path}: ${status} ${text}`);
  return { headers, body: JSON.parse(text) };
}
