// `npm run dev`: migrates the local database, serves the Worker, and loads the sample project the first time.
import { spawn, spawnSync } from 'node:child_process';
import { sample } from '../drizzle/sample/index.js';

const rootKey = 'console-local';
const wrangler = 'node_modules/wrangler/bin/wrangler.js';
const args = process.argv.slice(2);
const env = {
  ...process.env,
  WRANGLER_SEND_METRICS: 'false',
  CLOUDFLARE_CF_FETCH_ENABLED: 'false',
};

/**
 * The value of an option, as `--name value` or `--name=value`.
 * @param {string} name
 */
function option(name) {
  const at = args.findIndex((arg) => arg === name || arg.startsWith(`${name}=`));
  return args[at]?.includes('=') ? args[at].slice(name.length + 1) : args[at + 1 || args.length];
}

const port = option('--port') ?? '8787';
const persistTo = option('--persist-to');
const origin = `http://localhost:${port}`;

/**
 * Calls the API of the local server.
 * @param {string} method
 * @param {string} path
 * @param {unknown} [body]
 */
async function call(method, path, body) {
  const headers = { 'SERVICE-API-KEY': rootKey, 'Content-Type': 'application/json' };
  const request = { method, headers, body: body === undefined ? undefined : JSON.stringify(body) };
  const response = await fetch(`${origin}/console/v1/${path}`, request);
  const answer = await response.json();
  if (!response.ok) throw new Error(`${method} ${path}: ${answer.message}`);
  return answer;
}

/** Waits until the server answers; gives up when it ends first. */
async function ready() {
  while (server.exitCode === null) {
    const answer = await call('GET', 'audit_logs?limit=1').catch(() => undefined);
    if (answer) return answer;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  process.exit(server.exitCode ?? 1);
}

const persist = persistTo ? ['--persist-to', persistTo] : [];
const migrate = ['d1', 'migrations', 'apply', 'DB', '--local', ...persist];
const migrated = spawnSync(process.execPath, [wrangler, ...migrate], {
  stdio: ['ignore', 'ignore', 'inherit'],
  env: { ...env, CI: 'true' },
});
if (migrated.status !== 0) process.exit(migrated.status ?? 1);

// Local secrets, and no limit of changes; a deployment has secrets of its own, set by `wrangler secret put`.
const variables = [
  `ROOT_API_KEY:${rootKey}`,
  `SEALING_KEY:${btoa('local-sealing-key-of-32-bytes!!!')}`,
  'CHANGE_LIMIT:none',
];
const vars = variables.flatMap((variable) => ['--var', variable]);
const server = spawn(
  process.execPath,
  [wrangler, 'dev', ...vars, '--show-interactive-dev-session=false', ...args],
  {
    stdio: 'inherit',
    env,
  },
);
process.on('SIGINT', () => server.kill('SIGINT'));
process.on('SIGTERM', () => server.kill('SIGTERM'));
process.on('exit', () => server.kill());
server.on('exit', (code) => process.exit(code ?? 0));

const { pagination } = await ready();
if (pagination.totalItems === 0) {
  for (const [method, path, body] of sample) await call(method, path, body);
  process.stdout.write('\nLoaded the sample project: a shop.\n');
}
process.stdout.write(`
The console serves ${origin}; the local root key is ${rootKey}. Try:

  curl ${origin}/console/v1/gates -H 'SERVICE-API-KEY: ${rootKey}'

`);
