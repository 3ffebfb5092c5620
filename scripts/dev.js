// `npm run dev`: serves the Worker on a migrated local database. A new one gets a sample project, unless `--empty`.
import { lockFolder } from './dev/lock.js';
import { isFree, nextFree } from './dev/port.js';
import { holdScreen } from './dev/screen.js';
import { localKeys, makeVariables, rootKey } from './dev/variables.js';
import { watchPage } from './page/build.js';
import { offline, readOptions, withoutPage } from './tool.js';

/** The parent process. Under npm it is a shell, which ends on a signal without forwarding it. */
const parentID = process.ppid;

const parentCheckMs = 500;

/** Resolves on a signal, or when the parent process has ended. */
const stopRequested = () =>
  new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, resolve);
    const checkParent = () => process.ppid === parentID || resolve('npm');
    if (process.env.npm_lifecycle_event) setInterval(checkParent, parentCheckMs);
  });

const defaults = { port: 8787, folder: '.wrangler/state' };

/**
 * Writes an error line and exits with status 1.
 * @param {string} line
 * @returns {never}
 */
function refuse(line) {
  process.stderr.write(`${line}\n`);
  process.exit(1);
}

const failed = (/** @type {unknown} */ error) =>
  refuse(error instanceof Error ? error.message : String(error));

/**
 * Returns the port to serve on: the requested one, which must be free, or the next free one.
 * @param {string | undefined} wanted
 */
async function choosePort(wanted) {
  if (wanted === undefined) return nextFree(defaults.port);
  if (!/^\d{1,5}$/.test(wanted) || Number(wanted) > 65_535)
    return refuse(`--port ${wanted} is not a port: use a number up to 65535.`);
  if (await isFree(Number(wanted))) return Number(wanted);
  return refuse(
    `Port ${wanted} is taken: choose another, or omit --port to use the next free one.`,
  );
}

/**
 * The error for a database with other migrations.
 * @param {string} folder
 */
const incompatible = (folder) =>
  `The local database in ${folder} is of an incompatible version of this project: move ${folder} away to start ` +
  'with a new one, or use another folder: npm run dev -- --persist-to <folder>';

const options = readOptions(
  'npm run dev takes: -- --port <number> --persist-to <folder> --allow-host <name> --empty',
  {
    port: { type: 'string' },
    'persist-to': { type: 'string' },
    'allow-host': { type: 'string', multiple: true, default: [] },
    empty: { type: 'boolean', default: false },
  },
);
const folder = options['persist-to'] || defaults.folder; // an unset shell variable gives ''
await choosePort(options.port).catch(failed);
try {
  lockFolder(folder);
} catch (error) {
  failed(error);
}
Object.assign(process.env, offline);
try {
  makeVariables('.');
} catch (error) {
  failed(error);
}

const screen = holdScreen();
const hasPage = process.env.PAGE !== withoutPage.PAGE;
const page = hasPage && watchPage('src/assets/page').catch(failed); // in parallel with loading wrangler, which takes equally long
const { prepareDatabase } = await import('./dev/prepare.js');
const { runsForResults } = await import('./dev/sample.js');
const { eachMinute, inARow, startServer } = await import('./dev/server.js');

await page;
const database = await prepareDatabase(folder, !options.empty).catch(failed);
if (database === 'foreign') refuse(incompatible(folder));

const port = await choosePort(options.port).catch(failed); // another server may have taken the first one
const allowed = ['localhost', ...options['allow-host']].join();
const variables = { ...localKeys, LOCAL_HOSTS: allowed };
const server = await startServer(folder, port, variables).catch(failed);
stopRequested()
  .then(() => server.stop())
  .finally(() => process.exit(0));
server.broken.catch(failed);
const health = await server.fetch('/health');
const body = await health.json();
const message = body !== null && typeof body === 'object' && 'message' in body ? body.message : '';
const incomplete = health.ok ? '' : `The deployment is incomplete: ${message}\n\n`;
await server.runScheduled();
eachMinute(server.runScheduled);

const origin = `http://localhost:${await server.port()}`;
const key = rootKey('.');
const isSample = database === 'made' && !options.empty;
const news = options.empty ? 'Created an empty project.' : 'Loaded the sample project: a shop.';
screen.write(`${database === 'made' ? `\n${news}\n` : ''}
The console page is at ${origin}/ ; sign in with the local root key, ${key}.
The API reference is at ${origin}/docs ; you can call each operation there. Try:

  curl ${origin}/console/v1/gates -H 'SERVICE-API-KEY: ${key}'

Applications use the key ${localKeys.LOCAL_SERVER_KEY} on servers, and ${localKeys.LOCAL_CLIENT_KEY} in browsers and apps:

  curl ${origin}/ofrep/v1/evaluate/flags/new_search -H 'Authorization: Bearer ${localKeys.LOCAL_SERVER_KEY}' \\
    -H 'Content-Type: application/json' -d '{"context": {"targetingKey": "u-1"}}'

${incomplete}`);
screen.open();
if (isSample) await inARow(runsForResults, server.runScheduled);
