import { appendFileSync, cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, inject, test } from 'vitest';
import { migrate, openDatabase, readMigrations } from '../../scripts/dev/database.js';
import { startServer } from '../../scripts/dev/server.js';
import { rootKey } from '../../scripts/dev/variables.js';
import { request } from '../../scripts/import/source.js';
import { launch } from '../support/local_server.ts';
import { copyOf } from '../support/sample_database.ts';

const key = rootKey('.');
const headers = { 'SERVICE-API-KEY': key };
const folder = mkdtempSync(join(tmpdir(), 'import-'));

type Get = (path: string) => Promise<{ status: number; text(): Promise<string> }>;

async function serve(own: string) {
  const server = await startServer(own, 0, { ROOT_API_KEY: key, CHANGE_LIMIT: 'none' });
  const get: Get = (path) => server.fetch(path, { method: 'GET', headers });
  return { url: `http://127.0.0.1:${await server.port()}`, get, stop: server.stop };
}

/** A folder with a migrated, empty database, to copy. */
const empty = join(folder, 'empty');
const { db, close } = await openDatabase(empty);
await migrate(db, readMigrations()).finally(close);

/** Runs a function with a server on an empty database. */
async function withServer(use: (url: string, get: Get) => Promise<void>) {
  const own = mkdtempSync(join(folder, 'server-'));
  cpSync(empty, own, { recursive: true });
  const { url, get, stop } = await serve(own);
  await use(url, get).finally(stop);
}

/** The URL of a listening server. */
function urlOf(server: Server): string {
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : undefined}`;
}

const read = async (get: Get, path: string) => (await get(`/console/v1/${path}`)).text();

/** The path that the proxy forbids. */
const forbidden = 'gates/saved_carts/overrides';

/** Starts a proxy that may lack the export, and that fails after `first` requests until it is repaired. */
async function startProxy(to: Get, isWhole: boolean, first = Number.POSITIVE_INFINITY) {
  let left = first;
  const proxy = createServer(async (request, response) => {
    if (left-- === 0) return request.socket.destroy();
    // Retry-After 0 saves the 6 s that an import would wait before it stops.
    if (left < 0) return response.writeHead(503, { 'Retry-After': '0' }).end();
    const isMissing = !isWhole && request.url?.endsWith('/export');
    if (request.url?.endsWith(forbidden)) return response.writeHead(403).end('{}');
    const original = isMissing ? undefined : await to(request.url ?? '');
    response.writeHead(original?.status ?? 404).end(original ? await original.text() : '{}');
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const repair = () => {
    left = Number.POSITIVE_INFINITY;
  };
  return { url: urlOf(proxy), repair, close: () => proxy.close() };
}

/** Creates a folder for downloaded data. */
const makeDownloads = () => mkdtempSync(join(folder, 'downloads-'));

/** Runs `npm run import`. */
async function importFrom(url: string, to: string, downloads: string, own = key) {
  const args = ['--from', url, '--key', own, '--to', to, '--folder', downloads];
  const run = launch(process.execPath, ['scripts/import.js', ...args]);
  return { status: await run.closed, output: run.output() };
}

const sample = copyOf(inject('sampleFolder'));
const source = await serve(sample);
const { get: shop } = source;

afterAll(async () => {
  await source.stop();
  for (const own of [folder, sample]) rmSync(own, { recursive: true, force: true });
});

test('the import of an export copies a project byte for byte', async () => {
  const downloads = makeDownloads();
  await withServer(async (url, get) => {
    const { status, output } = await importFrom(source.url, url, downloads);
    expect(status, output).toBe(0);
    expect(await read(get, 'export')).toBe(await read(shop, 'export'));
    expect(output).toMatch(/^\d+ stored, 0 unchanged, 0 refused, 0 skipped\.$/m);
    expect(readdirSync(downloads)).toEqual([]);
  });
});

async function post(url: string, path: string, body: object) {
  const response = await fetch(`${url}/console/v1/${path}`, {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(response.ok, await response.text()).toBe(true);
}

test('the import copies a project of 1,000 gates in which pieces refer to later ones', async () => {
  const requiring = (type: string, targetValue: string) => ({
    rules: [{ name: 'Those', passPercentage: 100, conditions: [{ type, targetValue }] }],
  });
  await withServer(async (from, many) => {
    const between = Array.from({ length: 1001 }, (_, nth) => ({ name: `Between ${nth}` }));
    await post(from, 'import', { kind: 'gate', data: between });
    await post(from, 'segments', { name: 'Those', type: 'rule_based', rules: [] });
    await post(from, 'gates', { name: 'The last', ...requiring('passes_segment', 'those') });
    await post(from, 'gates', { name: 'A first', ...requiring('passes_gate', 'the_last') });
    for (const name of ['Second held', 'First held'])
      await post(from, 'holdouts', { name, gateIDs: ['a_first', 'the_last'] });
    await withServer(async (to, get) => {
      const { status, output } = await importFrom(from, to, makeDownloads());
      expect(status, output).toBe(0);
      expect(await read(get, 'export')).toBe(await read(many, 'export'));
    });
  });
});

/** The entities of a list by ID, with version 0, because an import starts at version 1. */
/** What an import does not copy: versions, and the health that is computed from exposures. */
const notCopied = new Set(['version', 'healthChecks', 'healthCheckStatus']);

async function listOf(get: Get, path: string) {
  const { data } = JSON.parse(await read(get, `${path}limit=1000`));
  const byID = Object.fromEntries(data.map((entity: { id: string }) => [entity.id, entity]));
  return JSON.parse(JSON.stringify(byID, (name, value) => (notCopied.has(name) ? 0 : value)));
}

const pagesIn = (output: string) => output.match(/^\w+: \d+ of \d+$/gm) ?? [];

test('the import of a server without an export reads lists, and continues after an interruption', async () => {
  const [held] = JSON.parse(await read(shop, 'holdouts')).data;
  const overrides = `holdouts/${held.id}/overrides`;
  await post(source.url, overrides, { passingUserIDs: ['u-1'] });
  const { url, repair, close } = await startProxy(shop, false, 20);
  const downloads = makeDownloads();
  await withServer(async (to, get) => {
    const stopped = await importFrom(url, to, downloads);
    expect(stopped.status).toBe(1);
    expect(stopped.output).toContain('Run the same command again to continue.');
    expect(pagesIn(stopped.output).length).toBeGreaterThan(3);
    const files = readdirSync(downloads, { recursive: true }).map(String);
    const last = files.filter((file) => file.endsWith('.jsonl')).at(-1) ?? '';
    appendFileSync(join(downloads, last), '{"data":[{"id":"hal');
    repair();
    const { status, output } = await importFrom(url, to, downloads);
    expect(status, output).toBe(0);
    expect(output.split('\n')).not.toContain(pagesIn(stopped.output)[0]);
    expect(stopped.output + output).toContain(`${forbidden}: not served (403)`);
    for (const path of ['gates?includeArchived=true&', 'experiments?', 'holdouts?', 'layers?'])
      expect(await listOf(get, path)).toEqual(await listOf(shop, path));
    expect(await read(get, overrides)).toBe(await read(shop, overrides));
  }).finally(close);
});

test('the import keeps downloads of two projects of one server apart', async () => {
  const sent: string[] = [];
  const server = createServer(async (request, response) => {
    const id = request.headers['service-api-key'];
    const line = JSON.stringify({ kind: 'tag', data: [{ id, name: id }] });
    if (request.method === 'GET') return response.end(`${line}\n{"end":{}}\n`);
    let body = '';
    for await (const part of request) body += part;
    sent.push(body);
    response.writeHead(400).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = urlOf(server);
  const downloads = makeDownloads();
  for (const own of ['one', 'two', 'one']) await importFrom(url, url, downloads, own);
  server.close();
  expect(sent.map((body) => JSON.parse(body.split('\n')[0] ?? '').data[0].id)).toEqual([
    'one',
    'two',
    'one',
  ]);
});

test('the import downloads the source again after a refusal', async () => {
  let exports = 0;
  const refused = [{ kind: 'tag', id: 'a', message: 'It differs.' }];
  const data = { stored: 0, unchanged: 0, skipped: 0, refused, ignored: [] };
  const server = createServer((request, response) => {
    if (request.method === 'POST') return response.end(JSON.stringify({ data }));
    exports++;
    response.end('{"kind":"tag","entity":{}}\n{"end":{}}\n');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = urlOf(server);
  const downloads = makeDownloads();
  for (const _ of [1, 2]) expect((await importFrom(url, url, downloads)).status).toBe(1);
  server.close();
  expect(exports).toBe(2);
});

test('the import ignores an interrupted export', async () => {
  const sent: string[] = [];
  const server = createServer((request, response) => {
    if (request.method === 'POST') sent.push(request.url ?? '');
    const isExport = request.url?.endsWith('/export');
    response.writeHead(isExport ? 200 : 404).end(isExport ? '{"kind":"tag","entity":{}}\n' : '{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = urlOf(server);
  const { output } = await importFrom(url, url, makeDownloads()).finally(() => server.close());
  expect(output).toContain('gates: not served');
  expect(sent).toEqual([]);
});

test('a request is repeated after a Retry-After date and after a lost connection', async () => {
  const times: number[] = [];
  const busy = createServer((_, response) => {
    times.push(Date.now());
    if (times.length === 2) return response.write('{', () => response.destroy());
    const later = new Date(Date.now() + 60_000).toUTCString();
    response.writeHead(times.length === 1 ? 429 : 200, { 'Retry-After': later }).end('{}');
  });
  await new Promise<void>((resolve) => busy.listen(0, '127.0.0.1', resolve));
  const server = { origin: urlOf(busy), key, header: 'SERVICE-API-KEY' };
  const { status, text } = await request(server, '/').finally(() => busy.close());
  expect([status, text]).toEqual([200, '{}']);
  expect(times[1]).toBeGreaterThan(Number(times[0]) + 900);
});

test.each([
  ['a missing key', ['--from', 'http://127.0.0.1:1']],
  ['a URL without a scheme', ['--from', 'localhost:1', '--key', 'any']],
])('the import prints its usage for %s', async (_, args) => {
  const run = launch(process.execPath, ['scripts/import.js', ...args]);
  expect(await run.closed).toBe(1);
  expect(run.output()).toContain('npm run import takes');
});
