// Logs an event with an SDK in a page that then closes, so that the last requests use only `sendBeacon`.
// node test/support/closing_page.js <SDK> <address of the server> <name of the event>
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const [sdk = '', url = '', eventName = ''] = process.argv.slice(2);

/** @type {Promise<void>[]} */
const sent = [];

/**
 * Sends like a browser: a text without further headers.
 * @param {string} address
 * @param {string} body
 */
function sendBeacon(address, body) {
  const response = fetch(address, { method: 'POST', body });
  sent.push(
    response.then(({ status }) => {
      process.stdout.write(`${new URL(address).pathname} ${status}\n`);
    }),
  );
  return true;
}

const [page, text] = [new EventTarget(), new EventTarget()];
const globals = {
  window: globalThis,
  document: Object.assign(text, { visibilityState: 'visible' }),
  navigator: { sendBeacon },
  addEventListener: page.addEventListener.bind(page),
  onpagehide: null,
};
for (const [name, value] of Object.entries(globals))
  Object.defineProperty(globalThis, name, { value, configurable: true });

const user = { userID: 'customer-7' };

if (sdk === 'statsig-js') {
  const { default: statsig } = require('statsig-js');
  const api = `${url}/v1/`;
  await statsig.initialize('client-local', user, { api, eventLoggingApi: api });
  statsig.logEvent(eventName);
} else {
  const { StatsigClient } = require('@statsig/js-client');
  const client = new StatsigClient('client-local', user, {
    networkConfig: { api: `${url}/v1` },
    loggingEnabled: 'always',
  });
  await client.initializeAsync();
  client.logEvent(eventName);
}
for (const name of ['beforeunload', 'pagehide']) page.dispatchEvent(new Event(name));
// @statsig/js-client sends with a delay.
while (sent.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
await Promise.all(sent);
process.exit();
