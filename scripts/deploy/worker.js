// The Worker of a deployment, and its address.
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { runTool } from '../tool.js';

/** How long one request to /health may take, in milliseconds. */
const requestLimit = 10_000;

/** How long to wait between two of them, in milliseconds. */
const pause = 2000;

/**
 * Returns the first address among wrangler's targets: a workers.dev address, else a custom domain. Routes are none.
 * @param {string[]} targets
 */
export function addressIn(targets) {
  const domain = targets.find((target) => target.includes('(custom domain'))?.split(' ')[0];
  return targets.find((target) => target.startsWith('https://')) ?? (domain && `https://${domain}`);
}

/** Returns the file in which wrangler reports what it deployed: where a CI system reads it, else an own one. */
function reportFile() {
  const { WRANGLER_OUTPUT_FILE_PATH: file, WRANGLER_OUTPUT_FILE_DIRECTORY: folder } = process.env;
  if (file) return file;
  if (folder) return join(folder, `wrangler-output-deploy-${process.pid}.json`);
  const own = join('.wrangler', 'deployment.json');
  rmSync(own, { force: true }); // wrangler appends to what is there
  return own;
}

/**
 * Deploys the Worker, and lets wrangler ask on a terminal.
 * @returns {Promise<string | undefined>} its address, if it has one of its own
 */
export async function deployWorker() {
  const file = reportFile();
  const env = { WRANGLER_OUTPUT_FILE_PATH: file };
  const { status } = await runTool('wrangler', ['deploy'], { show: true, env });
  if (status !== 0) throw new Error('`wrangler deploy` failed.');
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  const report = lines.map((line) => JSON.parse(line)).findLast(({ type }) => type === 'deploy');
  if (!report?.version_id) throw new Error('`wrangler deploy` deployed nothing.');
  return addressIn(report.targets ?? []);
}

/**
 * Requests /health once.
 * @param {string} address
 * @returns {Promise<string | undefined>} what is wrong, if anything
 */
async function problemOf(address) {
  try {
    const signal = AbortSignal.timeout(requestLimit);
    const response = await fetch(new URL('/health', address), { signal, redirect: 'manual' });
    const text = await response.text();
    return response.ok ? undefined : `${response.status} ${text.slice(0, 1000)}`;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return error.cause instanceof Error ? error.cause.message : error.message;
  }
}

/**
 * Waits until /health responds with success.
 * @param {string} address
 * @param {number} seconds
 * @throws Error with the last response after that time
 */
export async function waitForHealth(address, seconds) {
  const end = Date.now() + seconds * 1000;
  for (;;) {
    const problem = await problemOf(address);
    if (problem === undefined) return;
    if (Date.now() + pause > end)
      throw new Error(
        `The Worker is deployed, but ${new URL('/health', address)} reported no success within ${seconds} s. Its last response:\n  ${problem}`,
      );
    await sleep(pause);
  }
}
