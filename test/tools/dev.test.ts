import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { projectAt } from '../../drizzle/sample/index.js';
import { openDatabase } from '../../scripts/dev/database.js';
import { isFree, nextFree } from '../../scripts/dev/port.js';
import { prepareDatabase } from '../../scripts/dev/prepare.js';
import { rootKey } from '../../scripts/dev/variables.js';
import { withoutPage } from '../../scripts/tool.js';
import { changeUntilGone, checkWhole } from '../support/load.ts';
import {
  callLocal,
  dev,
  devByNpm,
  devWithoutPage,
  launch,
  wrangler,
} from '../support/local_server.ts';
import { copyOf } from '../support/sample_database.ts';

/** How often the process is killed under load; the suite is quick with 1, `KILLS=20 npm run test:tools` is thorough. */
const kills = Number(process.env.KILLS ?? 1);

const folder = mkdtempSync(join(tmpdir(), 'console-'));
let port = 0;
let server: ReturnType<typeof launch> | undefined;

const call = (method: string, path: string, body?: object) => callLocal(port, method, path, body);

/** Where the server of these tests is, and its data. */
const place = () => ['--port', String(port), '--persist-to', folder];

/** Starts `npm run dev`, and waits for its start-up text. */
async function start(run = devWithoutPage): Promise<string> {
  const started = run(...place());
  server = started;
  await started.until(() => started.output().includes('Try:'));
  return started.output();
}

/** The port that a start-up text names. */
const portIn = (output: string) => Number(output.match(/The console page is at \S+:(\d+)/)?.[1]);

/** The files of databases below the folder, with their sizes. */
const databases = () =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /d1.*[0-9a-f]{64}\.sqlite/.test(name))
    .map((name) => ({ name, size: statSync(join(folder, name), { throwIfNoEntry: false })?.size }));

beforeAll(async () => {
  port = await nextFree(20_000 + Math.floor(Math.random() * 10_000));
});

afterAll(async () => {
  await server?.stop('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

describe('the first npm run dev', () => {
  /** Kills a first start while it loads the sample project: no database is left. */
  async function killWhileItLoads(): Promise<void> {
    const killed = devWithoutPage(...place());
    // More than the empty tables take, and less than the whole sample.
    await killed.until(() => databases().some(({ size = 0 }) => size > 800_000));
    expect(await isFree(port)).toBe(true);
    await killed.stop('SIGKILL');
    expect(databases().filter(({ name }) => !name.startsWith('loading-'))).toEqual([]);
    expect(databases()).not.toEqual([]);
  }

  test('loads the whole sample project, also after one was killed at it and over an empty database, and says no more than how to begin', async () => {
    // Another try begins anew, wherever the one before ended.
    await server?.stop('SIGKILL');
    rmSync(folder, { recursive: true });
    mkdirSync(folder);
    await killWhileItLoads();
    const { db, close } = await openDatabase(folder);
    await db.prepare('select 1').run();
    await close();
    const output = await start(dev);
    const origin = `http://localhost:${port}`;
    expect(output).toBe(`
Loaded the sample project: a shop.

The console page is at ${origin}/ ; sign in with the local root key, ${rootKey('.')}.
The API reference is at ${origin}/docs ; you can call each operation there. Try:

  curl ${origin}/console/v1/gates -H 'SERVICE-API-KEY: ${rootKey('.')}'

Applications use the key secret-local on servers, and client-local in browsers and apps:

  curl ${origin}/ofrep/v1/evaluate/flags/new_search -H 'Authorization: Bearer secret-local' \\
    -H 'Content-Type: application/json' -d '{"context": {"targetingKey": "u-1"}}'

`);
    const { body } = await call('GET', 'audit_logs?limit=1');
    expect(body.pagination.totalItems).toBeGreaterThanOrEqual(projectAt(Date.now()).length - 5);
    expect((await call('GET', 'gates?includeArchived=true')).data.length).toBeGreaterThanOrEqual(
      10,
    );
    expect((await call('GET', 'experiments')).data.length).toBeGreaterThanOrEqual(6);
    expect((await call('GET', 'holdouts')).data.length).toBeGreaterThan(0);
    expect(readdirSync(folder).toSorted()).toEqual(['server.pid', 'v3']);
  });

  test('loads the results of the sample project without waiting for the next minutes', async () => {
    const path = 'experiments/delivery_estimate/pulse_results?control=group_0&test=group_1';
    const lastDay = new Date(Date.now() - 25 * 3_600_000).toISOString().slice(0, 10);
    const read = async () => (await call('GET', path)).data;
    await expect.poll(async () => (await read()).ds, { timeout: 50_000 }).toBe(lastDay);
    const [orders] = (await read()).primaryMetrics;
    expect(orders).toMatchObject({ metricName: 'orders', significant: true });
  });

  test('answers only by the names of this machine', async () => {
    const statusOf = async (host: string, path: string) => {
      const sent = request({ port, path, headers: { Host: host } }).end();
      const [{ statusCode }] = await once(sent, 'response');
      return statusCode;
    };
    const paths = ['/health', '/console/v1/gates', '/ofrep/v1/configuration', '/v1/initialize'];
    for (const path of paths) {
      for (const host of ['rebound.example', `rebound.example:${port}`, '192.168.0.2'])
        expect(await statusOf(host, path), `${host}${path}`).toBe(403);
      for (const host of [`localhost:${port}`, '127.0.0.1', '[::1]', 'app.localhost'])
        expect(await statusOf(host, path), `${host}${path}`).not.toBe(403);
    }
  });

  test('is the only server of its folder', async () => {
    const second = devWithoutPage('--port', '0', '--persist-to', folder);
    expect(await second.closed).toBe(1);
    const pid = readFileSync(join(folder, 'server.pid'), 'utf8').trim();
    expect(second.output()).toMatch(/^.+\n$/);
    expect(second.output()).toContain(`The process ${pid} serves ${folder} already`);
    expect((await fetch(`http://localhost:${port}/health`)).status).toBe(200);
  });

  test('migrates as wrangler does', async () => {
    const list = wrangler('d1', 'migrations', 'list', 'DB', '--local', '--persist-to', folder);
    expect(await list.closed).toBe(0);
    expect(list.output()).toContain('No migrations to apply');
  });

  test('is healthy, which is no page, and nothing below that is one', async () => {
    const typesOf = async (path: string) => {
      const { status, headers } = await fetch(`http://localhost:${port}${path}`);
      return [status, headers.get('Content-Type')];
    };
    expect(await typesOf('/health')).toEqual([200, 'application/json']);
    expect(await typesOf('/health/')).toEqual([404, 'application/problem+json']);
  });

  test('answers the next request at once where a body in chunks was too large', async () => {
    const url = `http://localhost:${port}/console/v1/gates`;
    const headers = { 'SERVICE-API-KEY': rootKey('.'), 'Content-Type': 'application/json' };
    const body = new Blob([' '.repeat(3_000_000)]).stream();
    const large = { method: 'POST', headers, body, duplex: 'half' };
    expect((await fetch(url, large)).status).toBe(413);
    const next = await fetch(url, { headers, signal: AbortSignal.timeout(10_000) });
    expect(next.status).toBe(200);
  });

  test('reads all the same where a body in chunks comes along', async () => {
    const url = `http://localhost:${port}/console/v1/gates`;
    const headers = { 'SERVICE-API-KEY': rootKey('.'), 'Transfer-Encoding': 'chunked' };
    const sent = request(url, { headers }).end('{}');
    const [{ statusCode }] = await once(sent, 'response');
    expect(statusCode).toBe(200);
  });

  test('serves applications whose base address ends in a slash', async () => {
    const url = `http://localhost:${port}//ofrep/v1/evaluate/flags`;
    const headers = { Authorization: `Bearer ${rootKey('.')}`, 'Content-Type': 'application/json' };
    const asked = await fetch(url, { method: 'POST', headers, body: '{}' });
    expect(asked.status, await asked.text()).toBe(200);
    const { status, headers: told } = await fetch(url, { headers });
    expect([status, told.get('Allow')]).toEqual([405, 'POST']);
  });

  test('serves the OpenAPI document', async () => {
    const response = await fetch(`http://localhost:${port}/console/v1/openapi.json`);
    expect(await response.json()).toMatchObject({ openapi: '3.1.0' });
  });

  test.each(['', ' again'])('runs the walk of the tutorial, pasted into a shell%s', async () => {
    const [, walk = ''] =
      readFileSync('docs/tutorial.md', 'utf8').match(/```sh\n(C=[^`]+)```/) ?? [];
    const script = walk.replaceAll('localhost:8787', `localhost:${port}`);
    expect(script.match(/^curl /gm)).toHaveLength(11);
    const failing = script.replaceAll('curl ', 'curl --fail-with-body -sS ');
    const shell = launch('bash', ['-euo', 'pipefail', '-c', failing]);
    expect(await shell.closed, shell.output()).toBe(0);
  });
});

test('npm run dev -- --empty makes a project of nothing, and ends with npm', async () => {
  const own = mkdtempSync(join(tmpdir(), 'empty-'));
  const began = devByNpm(
    '--empty',
    '--port',
    '0',
    '--persist-to',
    own,
    '--allow-host',
    'shop.test',
  );
  await began.until(() => began.output().includes('Try:'));
  const at = portIn(began.output());
  const [before] = began.output().split('\nThe console page');
  expect(before?.trim()).toMatch(/\n\nCreated an empty project\.$/); // after what npm says itself
  expect((await callLocal(at, 'GET', 'audit_logs')).data).toEqual([]);
  const named = request({ port: at, path: '/health', headers: { Host: 'shop.test' } }).end();
  expect((await once(named, 'response'))[0].statusCode).toBe(200);
  await began.stop('SIGTERM', 'one'); // waits until nothing writes to its output any more
  expect(await isFree(at)).toBe(true);
  rmSync(own, { recursive: true });
});

test('of two starts on one new folder the later takes the database of the earlier, and lets go of its own without a word', async () => {
  const own = mkdtempSync(join(tmpdir(), 'two-'));
  const slowly = ['--import', import.meta.resolve('../support/slow_removal.js')];
  const args = [...slowly, 'scripts/dev.js', '--port', '0', '--persist-to', own];
  const later = launch(process.execPath, args, withoutPage);
  await later.until(() => readdirSync(own).some((name) => name.startsWith('loading-'))); // the sample takes its time
  expect(await prepareDatabase(own, false)).toBe('made');
  await later.until(() => later.output().includes('Try:'));
  expect(later.output()).not.toContain('Loaded the sample project');
  expect(await later.stop('SIGTERM')).toBe(0);
  expect(later.output()).not.toContain('Build failed');
  const { db, close } = await openDatabase(own);
  expect(await db.prepare('select count(*) as gates from gates').first()).toEqual({ gates: 0 });
  await close();
  rmSync(own, { recursive: true });
});

describe('a start after a process was killed under a write load', () => {
  /** Begins a release whose first phase is over at once. */
  async function release(gateID: string): Promise<string> {
    const rules = [{ name: 'All', passPercentage: 100, conditions: [{ type: 'public' }] }];
    const phase = (id: string, timeIntervalMs: number) => ({ id, name: id, timeIntervalMs, rules });
    const phases = [phase('short', 1), phase('long', 3_600_000)];
    await call('POST', 'release_pipelines', { id: 'quick', name: 'Quick', phases });
    const begun = { releasePipelineID: 'quick', gateID };
    return (await call('POST', 'release_pipeline_triggers', begun)).data.id;
  }

  /** Kills the process while it changes gates; answers, for each, the newest version that was acknowledged. */
  async function killUnderLoad(gates: string[]): Promise<Map<string, number>> {
    const acknowledged = new Map<string, number>();
    const loaded = changeUntilGone(call, gates, acknowledged);
    await expect.poll(() => acknowledged.size, { timeout: 20_000 }).toBeGreaterThan(0);
    await sleep(Math.random() * 500);
    await server?.stop('SIGKILL');
    await loaded;
    return acknowledged;
  }

  /** Starts at the same time as another server on a copy of the sample project, which ends; answers the start-up text. */
  async function startBesideAnother(): Promise<string> {
    const own = copyOf(inject('sampleFolder'));
    const other = devWithoutPage('--persist-to', own, '--port', '0');
    const serves = other.until(() => other.output().includes('Try:'));
    try {
      const [output] = await Promise.all([start(), serves]);
      expect(await other.stop('SIGTERM', 'one')).toBe(0);
      expect(await isFree(portIn(other.output()))).toBe(true);
      return output;
    } finally {
      await other.stop('SIGKILL');
      rmSync(own, { recursive: true });
    }
  }

  test(`beside another (${kills} times) has every acknowledged change, and no half one, and does the scheduled work that is due`, {
    timeout: kills * 120_000,
  }, async () => {
    const experiment = { id: 'surviving', name: 'Surviving', targetingGateID: 'survivor' };
    await call('POST', 'gates', { id: 'survivor', name: 'Survivor' });
    await call('POST', 'experiments', experiment);
    const { data: released } = await call('POST', 'gates', { name: `Released ${randomUUID()}` });
    const read = async () => [
      await call('GET', 'gates/survivor'),
      await call('GET', 'experiments/surviving'),
    ];
    const before = await read();
    expect(before.map(({ status }) => status)).toEqual([200, 200]);
    const gates = Array.from({ length: 5 }, (_, index) => `under_load_${index}`);
    for (const id of gates) await call('POST', 'gates', { id, name: 'Under load' });
    const due = await release(released.id);
    for (let round = 0; round < kills; round++) {
      const acknowledged = await killUnderLoad(gates);
      expect(await startBesideAnother()).not.toContain('Loaded the sample project');
      const started = Date.now();
      for (const gate of gates) await checkWhole(call, gate, acknowledged.get(gate) ?? 0);
      expect(await read()).toEqual(before);
      const { data } = await call('GET', `audit_logs?id=${due}`);
      expect(data[0].actorID).toBe('scheduler');
      expect(data[0].time).toBeLessThan(started); // not as it is read
    }
  });
});

test('`npx wrangler dev` serves the same, with the same variables', async () => {
  expect(await server?.stop('SIGINT')).toBe(0);
  expect(await isFree(port)).toBe(true);
  const started = wrangler('dev', ...place());
  server = started;
  await started.until(() => started.output().includes('Ready on'));
  expect(await call('GET', 'gates/survivor')).toMatchObject({ status: 200 });
});
