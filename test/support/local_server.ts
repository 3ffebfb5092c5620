import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { rootKey } from '../../scripts/dev/variables.js';
import { offline, withoutPage } from '../../scripts/tool.js';

/** Starts a program in its own process group, without blocking: tests must notice closed connections. */
export function launch(program: string, args: string[], env: NodeJS.ProcessEnv = {}, cwd?: string) {
  const child = spawn(program, args, {
    cwd,
    detached: true,
    env: { ...process.env, ...offline, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk;
    });
  const closed = new Promise<number | null>((resolve) => child.on('close', resolve));
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  return {
    /** Resolves to its exit status; null after a signal. */
    closed,
    /** Its output so far. */
    output: () => output,
    /** Waits for a condition; fails if the program ends first. */
    async until(isTrue: () => boolean): Promise<void> {
      while (!isTrue()) {
        if (hasEnded()) throw new Error(`${program} ${args.join(' ')} ended:\n${output}`);
        await sleep(20);
      }
    },
    /** Sends a signal to the program, or like a terminal to its process group, and waits for the end. */
    async stop(signal: 'SIGINT' | 'SIGKILL' | 'SIGTERM', to: 'all' | 'one' = 'all') {
      if (child.pid && !hasEnded()) process.kill(to === 'all' ? -child.pid : child.pid, signal);
      return await closed;
    },
  };
}

/** Runs `npm run dev`. */
export const dev = (...args: string[]) => launch(process.execPath, ['scripts/dev.js', ...args]);

/** Runs `npm run dev` without bundling the page, which is a third of the start. */
export const devWithoutPage = (...args: string[]) =>
  launch(process.execPath, ['scripts/dev.js', ...args], withoutPage);

/** Runs `npm run dev` through npm and its shell, without bundling the page. */
export const devByNpm = (...args: string[]) =>
  launch('npm', ['run', 'dev', '--', ...args], withoutPage);

/** Runs `npx wrangler` without bundling the page. */
export const wrangler = (...args: string[]) =>
  launch(process.execPath, ['node_modules/wrangler/bin/wrangler.js', ...args], withoutPage);

const url = (port: number, path: string) => `http://localhost:${port}/console/v1/${path}`;

/** Calls the API of a local server with its root key. */
export async function callLocal(port: number, method: string, path: string, body?: object) {
  const headers = { 'SERVICE-API-KEY': rootKey('.'), 'Content-Type': 'application/json' };
  const sent = { method, headers, body: body && JSON.stringify(body) };
  const response = await fetch(url(port, path), sent);
  const content = JSON.parse(await response.text());
  return { status: response.status, body: content, data: content.data };
}

/** Creates a temporary gate that is unchanged for 40 days, by an import with old times. */
export async function makeOldGate(port: number, settings: object): Promise<string> {
  const { data: made } = await callLocal(port, 'POST', 'gates', { ...settings, type: 'TEMPORARY' });
  const headers = { 'SERVICE-API-KEY': rootKey('.'), 'Content-Type': 'application/x-ndjson' };
  const lines = await (await fetch(url(port, 'export'), { headers })).text();
  const own = `{"kind":"gate","entity":{"id":"${made.id}"`;
  const { kind, entity } = JSON.parse(lines.split('\n').find((line) => line.startsWith(own)) ?? '');
  await callLocal(port, 'DELETE', `gates/${made.id}`);
  const then = Date.now() - 40 * 24 * 60 * 60 * 1000;
  const old = { ...entity, createdTime: then, lastModifiedTime: then };
  const body = JSON.stringify({ kind, entity: old });
  const response = await fetch(url(port, 'import'), { method: 'POST', headers, body });
  expect(response.status, await response.text()).toBe(201);
  return made.id;
}
