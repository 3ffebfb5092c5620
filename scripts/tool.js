// Runs the tools of the project with the current Node, without a shell, so that it works on every system.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { devNull } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

/** Package names that differ from the tool name. */
const packages = new Map([
  ['biome', '@biomejs/biome'],
  ['tsc', 'typescript'],
]);

/**
 * Returns the options of a program. Prints the usage and exits on an unknown option.
 * @template {NonNullable<import('node:util').ParseArgsConfig['options']>} const Options
 * @param {string} usage
 * @param {Options} options
 * @param {string[]} [args]
 */
export function readOptions(usage, options, args = process.argv.slice(2)) {
  try {
    return parseArgs({ args, options }).values;
  } catch {
    process.stderr.write(`${usage}\n`);
    return process.exit(1);
  }
}

/** Variables that keep wrangler from using the network. */
export const offline = {
  CLOUDFLARE_CF_FETCH_ENABLED: 'false',
  WRANGLER_HIDE_BANNER: 'true',
  WRANGLER_SEND_METRICS: 'false',
};

/** Makes `npm run dev` and wrangler skip the bundling of the page. */
export const withoutPage = { PAGE: 'none' };

/**
 * @param {string} name
 */
function program(name) {
  const here = dirname(fileURLToPath(import.meta.url));
  const folder = join(here, '..', 'node_modules', packages.get(name) ?? name);
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return join(folder, typeof bin === 'string' ? bin : bin[name]);
}

/**
 * Runs a tool and returns its exit status, and its output unless `show` is set.
 * @param {string} name
 * @param {string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, show?: boolean, timeout?: number, input?: string }} [options] `show` writes
 *   its output to the screen; `timeout` is in milliseconds; `input` is its standard input
 * @returns {Promise<{ status: number | null, output: string, stdout: string }>}
 */
export async function runTool(name, args, { cwd, env, show = false, timeout, input } = {}) {
  const child = spawn(process.execPath, [program(name), ...args], {
    cwd,
    env: { ...process.env, ...offline, ...env },
    stdio: show ? 'inherit' : 'pipe',
    timeout,
  });
  child.stdin?.on('error', () => undefined); // it may exit before reading all input
  if (input !== undefined) child.stdin?.end(input);
  let output = '';
  let stdout = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text) => {
      output += text;
      if (stream === child.stdout) stdout += text;
    });
  return new Promise((resolve) =>
    child.on('close', (status) => resolve({ status, output, stdout })),
  );
}

/**
 * Writes worker-configuration.d.ts, the types of the bindings in wrangler.toml. They do not depend on `.dev.vars`, whose
 * variables are typed in src/platform/env.ts. Each installation waits for this, at most 60 s.
 * @param {string} [folder]
 */
export const writeTypes = (folder) =>
  runTool('wrangler', ['types', `--env-file=${devNull}`], {
    cwd: folder,
    env: withoutPage,
    timeout: 60_000,
  });
