// Bundles the compared Workers as for a deployment, and starts them in the local runtime.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { Log, LogLevel, Miniflare } from 'miniflare';
import { unstable_readConfig } from '../scripts/dev/wrangler.js';
import { runTool, withoutPage } from '../scripts/tool.js';

export const rootKey = 'console-bench';

const { compatibility_date: compatibilityDate, compatibility_flags: compatibilityFlags } =
  unstable_readConfig({ config: 'wrangler.toml' });

/** Options of all Workers: free ports of the loopback, and only errors in the log. */
const commonOptions = {
  host: '127.0.0.1',
  port: 0,
  cf: false,
  log: new Log(LogLevel.ERROR),
  compatibilityDate,
  compatibilityFlags,
  modules: true,
  unsafeDirectSockets: [{ host: '127.0.0.1', port: 0 }],
};

/**
 * Bundles and minifies the console like `wrangler deploy`.
 * @param {string} folder
 * @returns {Promise<string>} the path of the bundle
 */
export async function bundleConsole(folder) {
  const args = ['deploy', 'src/index.ts', '--dry-run', '--outdir', folder];
  const { status, output } = await runTool('wrangler', args, { env: withoutPage });
  if (status !== 0) throw new Error(output);
  return join(folder, 'index.js');
}

/**
 * Bundles and minifies a Worker or a script without wrangler, which takes seconds to load.
 * @param {string} name
 * @param {string} folder
 * @returns {string} the path of the bundle
 */
export function bundleOther(name, folder) {
  const outfile = join(folder, `${name}.mjs`);
  buildSync({
    entryPoints: [`bench/${name}.ts`],
    outfile,
    bundle: true,
    conditions: ['workerd', 'worker', 'browser'],
    format: 'esm',
    minify: true,
    target: 'es2024',
  });
  return outfile;
}

/** @typedef {{ server: Miniflare, url: URL }} Served */

/**
 * Starts a Worker on a free port of the loopback, with its database in a folder. Requests reach it directly, without the
 * proxy of local development.
 * @param {string} script
 * @param {string} folder
 * @param {{ inspectorPort?: number, unsafeTriggerHandlers?: boolean }} [options] the inspector port, 0 for a free one; and
 *   whether `runScheduled` works
 * @returns {Promise<Served>}
 */
export async function serve(script, folder, options = {}) {
  const server = new Miniflare({
    ...commonOptions,
    script: readFileSync(script, 'utf8'),
    bindings: { ROOT_API_KEY: rootKey, CHANGE_LIMIT: 'none' },
    d1Databases: { DB: 'bench' },
    d1Persist: folder,
    ...options,
  });
  return { server, url: await server.unsafeGetDirectURL() };
}

/**
 * Runs the scheduled jobs of a server once.
 * @param {Miniflare} server
 */
export async function runScheduled(server) {
  const response = await server.dispatchFetch('http://localhost/cdn-cgi/handler/scheduled');
  if (!response.ok) throw new Error(`the scheduler: ${response.status} ${await response.text()}`);
}

/** Returns the IDs of the workerd processes of this process on Linux, and none elsewhere. */
export function workerProcesses() {
  const pids = existsSync('/proc/self/stat') ? readdirSync('/proc').filter(Number) : [];
  return pids.map(Number).filter((pid) => {
    const [, name, parent] = /\((.*)\) \S (\d+)/.exec(statOf(pid)) ?? [];
    return name === 'workerd' && Number(parent) === process.pid;
  });
}

/** The `stat` line of a process; empty if it has ended. */
function statOf(/** @type {number} */ pid) {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return '';
  }
}

/**
 * Returns the CPU seconds of a process.
 * @param {number | undefined} pid
 */
export function cpuSeconds(pid) {
  if (pid === undefined) return Number.NaN;
  const [user, system] = statOf(pid).split(') ')[1]?.split(' ').slice(11, 13).map(Number) ?? [];
  return ((user ?? Number.NaN) + (system ?? Number.NaN)) / 100;
}

// A Worker that starts each of the others in a new isolate.
const starter = `export default {
  async fetch(request, { LOADER, runtime, ROOT_API_KEY, ...scripts }) {
    const [, script, n, ...path] = new URL(request.url).pathname.split('/');
    const worker = LOADER.get(script + n, () => ({
      ...runtime,
      mainModule: 'index.js',
      modules: { 'index.js': scripts[script] },
      env: { ROOT_API_KEY },
    }));
    return worker.getEntrypoint().fetch('http://bench/' + path.join('/'), request);
  },
};`;

/**
 * Starts a Worker that serves /<name>/<n>/<path> from a new isolate for each n.
 * @param {Record<string, string>} scripts the paths of bundles, by name
 * @returns {Promise<Served>}
 */
export async function serveFresh(scripts) {
  const texts = Object.entries(scripts).map(([name, path]) => [name, readFileSync(path, 'utf8')]);
  const server = new Miniflare({
    ...commonOptions,
    script: starter,
    bindings: {
      runtime: { compatibilityDate, compatibilityFlags },
      ROOT_API_KEY: rootKey,
      ...Object.fromEntries(texts),
    },
    workerLoaders: { LOADER: {} },
  });
  return { server, url: await server.unsafeGetDirectURL() };
}
