// The two secrets that a deployment needs.
import { randomBytes } from 'node:crypto';
import { runTool } from '../tool.js';
import { wrangler } from './wrangler.js';

/** How each secret is generated. */
const generators = {
  ROOT_API_KEY: () => randomBytes(32).toString('hex'),
  SEALING_KEY: () => randomBytes(32).toString('base64'),
};

/** @typedef {keyof typeof generators} SecretName */

/** @type {SecretName[]} */
export const secretNames = ['ROOT_API_KEY', 'SEALING_KEY'];

/**
 * Returns the secrets that a Worker does not have. One that does not exist yet has none.
 * @param {string} worker
 */
export async function missingSecrets(worker) {
  const args = ['secret', 'list', '--name', worker];
  const { status, output, stdout } = await runTool('wrangler', args);
  if (status !== 0 && /Worker ".*" not found/.test(output)) return secretNames;
  if (status !== 0) throw new Error(`${output.trim()}\n\n\`wrangler ${args.join(' ')}\` failed.`);
  return secretNames.filter((name) => !stdout.includes(`"${name}"`));
}

/**
 * Generates secrets and shows them, then sets them in one request. A secret that is set was shown before, whatever fails.
 * @param {string} worker
 * @param {SecretName[]} names
 * @param {(text: string) => void} say
 */
export async function setSecrets(worker, names, say) {
  const values = Object.fromEntries(names.map((name) => [name, generators[name]()]));
  const lines = names.map((name) => `  ${name}=${values[name]}\n`);
  say(`\nNew secrets, which nothing shows again. Keep a copy:\n\n${lines.join('')}\n`);
  // They go through standard input: arguments of a program can be read by others.
  await wrangler(['secret', 'bulk', '--name', worker], JSON.stringify(values)).catch((error) => {
    throw new Error(
      `${error.message}\nThe secrets above may not be set. If the next run shows new ones, keep those instead.`,
    );
  });
}
