// Which port to serve on.
import { createServer } from 'node:net';

/** Who listens on one of these answers to localhost, or to some of its names. */
const hosts = ['127.0.0.1', '::1', '0.0.0.0', '::'];

/** How many ports are tried, one after the other. */
const tries = 100;

/**
 * Whether an address can be listened on; an address that this machine does not have is in nobody's way.
 * @param {number} port
 * @param {string} host
 * @returns {Promise<boolean>}
 */
const canListen = (port, host) =>
  new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', (error) =>
      resolve('code' in error && ['EADDRNOTAVAIL', 'EAFNOSUPPORT'].includes(String(error.code))),
    );
    probe.listen({ port, host, exclusive: true }, () => probe.close(() => resolve(true)));
  });

/**
 * Whether nobody listens on a port. It is tried by listening, so that nothing is sent to whoever does.
 * @param {number} port
 */
export async function isFree(port) {
  for (const host of hosts) if (!(await canListen(port, host))) return false;
  return true;
}

/**
 * The first free port from one on.
 * @param {number} first
 * @throws Error where there is none among the next hundred
 */
export async function nextFree(first) {
  for (let port = first; port < first + tries; port++) if (await isFree(port)) return port;
  throw new Error(`No port from ${first} to ${first + tries - 1} is free.`);
}
