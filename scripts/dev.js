// `npm run dev`: serves the Worker on a local database that is migrated, and where it is new holds a sample project, or with `--empty` nothing.
import { lockFolder } from './dev/lock.js';
import { isFree, nextFree } from './dev/port.js';
import { holdScreen } from './dev/screen.js';
import { localKeys, makeVariables, rootKey } from './dev/variables.js';
import { watchPage } from './page/build.js';
import { offline, readOptions, withoutPage } from './tool.js';

/** Who started this; through npm that is its shell, which ends by a signal to npm, and hands on none. */
const parent = process.ppid;

/** How often to look whether that is still there, in milliseconds. */
const lookEvery = 500;

/** Resolves when this is to end: by a signal, or with npm. */
const toEnd = () =>
  new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, resolve);
    const look = () => process.ppid === parent || resolve('npm');
    if (process.env.npm_lifecycle_event) setInterval(look, lookEvery);
  });

/** Where to serve when nothing is said. */
const usual = { port: 8787, folder: '.wrangler/state' };

/**
 * Ends with a line that says why, and what to do.
 * @param {string} line
 * @returns {never}
 */
function refuse(line) {
  process.stderr.write(`${line}\n`);
  process.exit(1);
}

const failed = (/** @type {Error} */ { message }) => refuse(message);

/**
 * The port to serve on. One that was asked for must be free; otherwise the next free one will do.
 * @param {string | undefined} wanted
 */
async function choosePort(wanted) {
  if (wanted === undefined) return nextFree(usual.port);
  if (!/^\d{1,5}$/.test(wanted) || Number(wanted) > 65_535)
    return refuse(`--port ${wanted} is no port: it is a number up to 65535.`);
  if (await isFree(Number(wanted))) return Number(wanted);
  return refuse(
    `Port ${wanted} is taken: name another with --port, or none to serve on the next free one.`,
  );
}

/**
 * What to do about a database that other migrations made.
 * @param {string} folder
 */
const toDo = (folder) =>
  `The local database in ${folder} is of an incompatible version of this project: move ${folder} away to begin ` +
  'anew, or keep a new one elsewhere with: npm run dev -- --persist-to <folder>';

const options = readOptions(
  'npm run dev takes: -- --port <number> --persist-to <folder> --allow-host <name> --empty',
  {
    port: { type: 'string' },
    'persist-to': { type: 'string' },
    'allow-host': { type: 'string', multiple: true, default: [] },
    empty: { type: 'boolean', default: false },
  },
);
const folder = options['persist-to'] || usual.folder; // also for a variable that is not set
await choosePort(options.port).catch(failed);
try {
  lockFolder(folder);
} catch (error) {
  failed(Object(error));
}
Object.assign(process.env, offline);
try {
  makeVariables('.');
} catch (error) {
  failed(Object(error));
}

const screen = holdScreen();
const hasPage = process.env.PAGE !== withoutPage.PAGE;
const page = hasPage && watchPage('src/assets/page').catch(failed); // while wrangler is loaded, which takes as long
const { prepareDatabase } = await import('./dev/prepare.js');
const { eachMinute, startServer } = await import('./dev/server.js');

await page;
const database = await prepareDatabase(folder, !options.empty).catch(failed);
if (database === 'foreign') refuse(toDo(folder));

const port = await choosePort(options.port).catch(failed); // others may have started since it was looked at
const allowed = ['localhost', ...options['allow-host']].join();
const variables = { ...localKeys, LOCAL_HOSTS: allowed };
const server = await startServer(folder, port, variables).catch(failed);
toEnd()
  .then(() => server.stop())
  .finally(() => process.exit(0));
server.broken.catch(failed);
const health = await server.fetch('/health');
const { message } = Object(await health.json());
const lacks = health.ok ? '' : `Not all works yet: ${message}\n\n`;
await server.runScheduled();
eachMinute(server.runScheduled);

const origin = `http://localhost:${await server.port()}`;
const key = rootKey('.');
const news = options.empty ? 'Made an empty project.' : 'Loaded the sample project: a shop.';
screen.say(`${database === 'made' ? `\n${news}\n` : ''}
The console page is at ${origin}/ ; sign in with the local root key, ${key}.
The reference of the API is at ${origin}/docs ; each operation can be tried there. Try:

  curl ${origin}/console/v1/gates -H 'SERVICE-API-KEY: ${key}'

Applications ask it with the key ${localKeys.LOCAL_SERVER_KEY}, or ${localKeys.LOCAL_CLIENT_KEY} in the hands of users:

  curl ${origin}/ofrep/v1/evaluate/flags/new_search -H 'Authorization: Bearer ${localKeys.LOCAL_SERVER_KEY}' \\
    -H 'Content-Type: application/json' -d '{"context": {"targetingKey": "u-1"}}'

${lacks}`);
screen.open();
