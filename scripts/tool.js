// Runs the tools of the project by the Node that runs this, without a shell, so that it works on every system.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { devNull } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

/** Tools whose package has another name. */
const packages = new Map([
  ['biome', '@biomejs/biome'],
  ['tsc', 'typescript'],
]);

/**
 * The options of a program; where it is given something else, it ends with what it takes.
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

/** Variables that keep wrangler from asking the network for anything. */
export const offline = {
  CLOUDFLARE_CF_FETCH_ENABLED: 'false',
  WRANGLER_HIDE_BANNER: 'true',
  WRANGLER_SEND_METRICS: 'false',
};

/** Keeps the page from being bundled, by `npm run dev` or by wrangler: where nobody looks at it, or it is there. */
export const withoutPage = { PAGE: 'none' };

/**
 * The file that a tool's package names as its program.
 * @param {string} name
 */
function program(name) {
  const here = dirname(fileURLToPath(import.meta.url));
  const folder = join(here, '..', 'node_modules', packages.get(name) ?? name);
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return join(folder, typeof bin === 'string' ? bin : bin[name]);
}

/**
 * Runs a tool to its end.
 * @param {string} name
 * @param {string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, show?: boolean, timeout?: number, input?: string }} [options] `show` puts
 *   its output on the screen at once; the time is in milliseconds; `input` is what it reads from its standard input
 * @returns {Promise<{ status: number | null, output: string, stdout: string }>} its exit status, and where that is not shown
 *   its output: all of it, and its standard output alone
 */
export async function runTool(name, args, { cwd, env, show = false, timeout, input } = {}) {
  const child = spawn(process.execPath, [program(name), ...args], {
    cwd,
    env: { ...process.env, ...offline, ...env },
    stdio: show ? 'inherit' : 'pipe',
    timeout,
  });
  child.stdin?.on('error', () => undefined); // it may end before it has read all
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
 * Writes worker-configuration.d.ts, the types of the bindings in wrangler.toml. They are the same whether there is a
 * `.dev.vars` or not: what that holds is typed in src/env.ts. An installation waits for it, so it takes a minute at most.
 * @param {string} [folder]
 */
export const writeTypes = (folder) =>
  runTool('wrangler', ['types', `--env-file=${devNull}`], {
    cwd: folder,
    env: withoutPage,
    timeout: 60_000,
  });
