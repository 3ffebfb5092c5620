import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

/** How often the process is killed under load; the suite is quick with 1, `KILLS=20 npm test` is thorough. */
const kills = Number(process.env.KILLS ?? 1);

const folder = mkdtempSync(join(tmpdir(), 'console-'));
let port = 0;
let server: ChildProcess | undefined;

/** A port that nothing listens on. */
const freePort = () =>
  new Promise<number>((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });

/** Starts `npm run dev` in a process group of its own, and waits for its start-up text. */
async function start(): Promise<string> {
  const inspector = String(await freePort());
  const own = ['--port', String(port), '--inspector-port', inspector, '--persist-to', folder];
  const args = ['scripts/dev.js', ...own];
  const child = spawn(process.execPath, args, {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  server = child;
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk;
    });
  while (!output.includes('Try:')) {
    if (child.exitCode !== null) throw new Error(`npm run dev ended:\n${output}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return output;
}

/** Ends the server with all its processes, as by a power cut or as asked for. */
async function stop(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
  const child = server;
  if (!child?.pid || child.exitCode !== null) return;
  const ended = new Promise((resolve) => child.on('exit', resolve));
  process.kill(-child.pid, signal);
  await ended;
}

async function call(method: string, path: string, body?: object) {
  const headers = { 'SERVICE-API-KEY': 'console-local', 'Content-Type': 'application/json' };
  const url = `http://localhost:${port}/console/v1/${path}`;
  const response = await fetch(url, { method, headers, body: body && JSON.stringify(body) });
  const answer = JSON.parse(await response.text());
  return { status: response.status, body: answer, data: answer.data };
}

beforeAll(async () => {
  port = await freePort();
});

afterAll(async () => {
  await stop('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

describe('npm run dev', () => {
  test('migrates, loads the sample project the first time, and says how to begin', async () => {
    const output = await start();
    expect(output).toContain('Loaded the sample project');
    const [command = ''] = output.match(/curl .*console.*/) ?? [];
    expect(command).toBe(
      `curl http://localhost:${port}/console/v1/gates -H 'SERVICE-API-KEY: console-local'`,
    );
    const { body } = await call('GET', 'gates?includeArchived=true');
    expect(body.pagination.totalItems).toBeGreaterThanOrEqual(10);
    expect((await call('GET', 'experiments')).body.pagination.totalItems).toBeGreaterThanOrEqual(6);
  });

  test('serves the OpenAPI document', async () => {
    const response = await fetch(`http://localhost:${port}/console/v1/openapi.json`);
    expect(await response.json()).toMatchObject({ openapi: '3.1.0' });
  });

  test('takes the walk of the README, pasted into a shell', () => {
    const [, walk = ''] =
      readFileSync('README.md', 'utf8').match(/## A walk\n\n```sh\n([^`]+)```/) ?? [];
    const script = walk.replaceAll('localhost:8787', `localhost:${port}`);
    expect(script.match(/^curl /gm)).toHaveLength(10);
    const failing = script.replaceAll('curl ', 'curl --fail-with-body -sS ');
    const { status, stdout, stderr } = spawnSync('bash', ['-euc', failing], { encoding: 'utf8' });
    expect(status, `${stdout}${stderr}`).toBe(0);
  });

  test('finds a gate and an experiment again after a restart', async () => {
    await call('POST', 'gates', { id: 'survivor', name: 'Survivor' });
    await call('POST', 'experiments', {
      id: 'surviving',
      name: 'Surviving',
      targetingGateID: 'survivor',
    });
    const read = async () => [
      await call('GET', 'gates/survivor'),
      await call('GET', 'experiments/surviving'),
    ];
    const before = await read();
    await stop('SIGTERM');
    expect(await start()).not.toContain('Loaded the sample project');
    expect(await read()).toEqual(before);
    expect(before.map(({ status }) => status)).toEqual([200, 200]);
  });
});

describe('a process killed under a write load', () => {
  /** Changes gates until the server is gone; answers, for each gate, the newest version that was acknowledged. */
  async function load(gates: string[]): Promise<Map<string, number>> {
    const acknowledged = new Map<string, number>();
    const change = async (gate: string) => {
      for (let count = 0; ; count++) {
        const body = { description: `${count}`, tags: [`t${count}`] };
        const { status, data } = await call('PATCH', `gates/${gate}`, body);
        if (status === 200)
          acknowledged.set(gate, Math.max(acknowledged.get(gate) ?? 0, data.version));
      }
    };
    await Promise.allSettled(gates.flatMap((gate) => [change(gate), change(gate)]));
    return acknowledged;
  }

  /** Whether a gate is the newest of its gapless versions, and its tags are found as they are stored. */
  async function checkWhole(gate: string, atLeast: number): Promise<void> {
    const { data } = await call('GET', `gates/${gate}`);
    expect(data.version).toBeGreaterThanOrEqual(atLeast);
    const { body } = await call('GET', `gates/${gate}/versions?limit=1`);
    expect([body.pagination.totalItems, body.data[0].version]).toEqual([
      data.version,
      data.version,
    ]);
    const snapshot = (await call('GET', `gates/${gate}/versions/${data.version}`)).data.snapshot;
    expect(snapshot).toMatchObject({ description: data.description, tags: data.tags });
    for (const tag of data.tags) {
      const found = await call('GET', `gates?limit=1000&tags=${tag}`);
      expect(found.data.map(({ id }: { id: string }) => id)).toContain(gate);
    }
  }

  test(`(${kills} times) has every acknowledged change, and no half one`, {
    timeout: kills * 30_000,
  }, async () => {
    const gates = Array.from({ length: 5 }, (_, index) => `under_load_${index}`);
    for (const id of gates) await call('POST', 'gates', { id, name: 'Under load' });
    let total = 0;
    for (let round = 0; round < kills; round++) {
      const loaded = load(gates);
      await new Promise((resolve) => setTimeout(resolve, 300 + Math.random() * 500));
      await stop('SIGKILL');
      const acknowledged = await loaded;
      await start();
      for (const gate of gates) await checkWhole(gate, acknowledged.get(gate) ?? 0);
      total += [...acknowledged.values()].reduce((sum, version) => sum + version, 0);
    }
    expect(total).toBeGreaterThan(0);
  });
});
