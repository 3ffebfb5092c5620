import { appendFileSync, cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, inject, test } from 'vitest';
import { migrate, openDatabase, readMigrations } from '../scripts/dev/database.js';
import { startServer } from '../scripts/dev/server.js';
import { rootKey } from '../scripts/dev/variables.js';
import { ask } from '../scripts/import/source.js';
import { launch } from './support/local_server.ts';
import { copyOf } from './support/sample_database.ts';

const key = rootKey('.');
const headers = { 'SERVICE-API-KEY': key };
const folder = mkdtempSync(join(tmpdir(), 'import-'));

/** What answers a path. */
type Get = (path: string) => Promise<{ status: number; text(): Promise<string> }>;

/** A server on the database of a folder. */
async function serve(own: string) {
  const server = await startServer(own, 0, { ROOT_API_KEY: key, CHANGE_LIMIT: 'none' });
  const get: Get = (path) => server.fetch(path, { method: 'GET', headers });
  return { url: `http://127.0.0.1:${await server.port()}`, get, stop: server.stop };
}

/** A folder with a migrated database in which nothing is, to be copied. */
const empty = join(folder, 'empty');
const { db, close } = await openDatabase(empty);
await migrate(db, readMigrations()).finally(close);

/** A server on an empty database, for as long as something needs it: another at each try of a test. */
async function withServer(use: (url: string, get: Get) => Promise<void>) {
  const own = mkdtempSync(join(folder, 'server-'));
  cpSync(empty, own, { recursive: true });
  const { url, get, stop } = await serve(own);
  await use(url, get).finally(stop);
}

const read = async (get: Get, path: string) => (await get(`/console/v1/${path}`)).text();

/** What a server between lets nobody read. */
const withheld = 'gates/saved_carts/overrides';

/** A server between, which may lack the export, and break off after some requests until it is mended. */
async function between(to: Get, isWhole: boolean, first = Number.POSITIVE_INFINITY) {
  let left = first;
  const proxy = createServer(async (request, response) => {
    if (left-- === 0) return request.socket.destroy();
    // Who asks again is told not to wait: an import would for six seconds before it stops.
    if (left < 0) return response.writeHead(503, { 'Retry-After': '0' }).end();
    const isMissing = !isWhole && request.url?.endsWith('/export');
    if (request.url?.endsWith(withheld)) return response.writeHead(403).end('{}');
    const answer = isMissing ? undefined : await to(request.url ?? '');
    response.writeHead(answer?.status ?? 404).end(answer ? await answer.text() : '{}');
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const { port } = Object(proxy.address());
  const mend = () => {
    left = Number.POSITIVE_INFINITY;
  };
  return { url: `http://127.0.0.1:${port}`, mend, close: () => proxy.close() };
}

/** A folder for what is read until it is written: another at each try of a test. */
const makeKept = () => mkdtempSync(join(folder, 'kept-'));

/** Runs `npm run import` to its end. */
async function importFrom(url: string, to: string, kept: string, own = key) {
  const args = ['--from', url, '--key', own, '--to', to, '--folder', kept];
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

test('a project is copied by its export, equal byte for byte', async () => {
  const kept = makeKept();
  await withServer(async (url, get) => {
    const { status, output } = await importFrom(source.url, url, kept);
    expect(status, output).toBe(0);
    expect(await read(get, 'export')).toBe(await read(shop, 'export'));
    expect(output).toMatch(/^\d+ stored, 0 unchanged, 0 refused, 0 skipped\.$/m);
    expect(readdirSync(kept)).toEqual([]);
  });
});

/** Sends a body to a server. */
async function post(url: string, path: string, body: object) {
  const answer = await fetch(`${url}/console/v1/${path}`, {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(answer.ok, await answer.text()).toBe(true);
}

test('a project of thousands is copied, whatever names what', async () => {
  const asking = (type: string, targetValue: string) => ({
    rules: [{ name: 'Those', passPercentage: 100, conditions: [{ type, targetValue }] }],
  });
  await withServer(async (from, many) => {
    const between = Array.from({ length: 1001 }, (_, nth) => ({ name: `Between ${nth}` }));
    await post(from, 'import', { kind: 'gate', data: between });
    await post(from, 'segments', { name: 'Those', type: 'rule_based', rules: [] });
    await post(from, 'gates', { name: 'The last', ...asking('passes_segment', 'those') });
    await post(from, 'gates', { name: 'A first', ...asking('passes_gate', 'the_last') });
    for (const name of ['Second held', 'First held'])
      await post(from, 'holdouts', { name, gateIDs: ['a_first', 'the_last'] });
    await withServer(async (to, get) => {
      const { status, output } = await importFrom(from, to, makeKept());
      expect(status, output).toBe(0);
      expect(await read(get, 'export')).toBe(await read(many, 'export'));
    });
  });
});

/** What a list has, but for the versions, which begin anew. */
async function listOf(get: Get, path: string) {
  const { data } = JSON.parse(await read(get, `${path}limit=1000`));
  const byID = Object.fromEntries(data.map((entity: { id: string }) => [entity.id, entity]));
  return JSON.parse(JSON.stringify(byID, (name, value) => (name === 'version' ? 0 : value)));
}

const pagesIn = (output: string) => output.match(/^\w+: \d+ of \d+$/gm) ?? [];

test('from a server that has lists alone it is copied by these, and gone on with where it was stopped', async () => {
  const [held] = JSON.parse(await read(shop, 'holdouts')).data;
  const overrides = `holdouts/${held.id}/overrides`;
  await post(source.url, overrides, { passingUserIDs: ['u-1'] });
  const { url, mend, close } = await between(shop, false, 20);
  const kept = makeKept();
  await withServer(async (to, get) => {
    const stopped = await importFrom(url, to, kept);
    expect(stopped.status).toBe(1);
    expect(stopped.output).toContain('Send the same again to go on.');
    expect(pagesIn(stopped.output).length).toBeGreaterThan(3);
    const files = readdirSync(kept, { recursive: true }).map(String);
    const last = files.filter((file) => file.endsWith('.jsonl')).at(-1) ?? '';
    appendFileSync(join(kept, last), '{"data":[{"id":"hal');
    mend();
    const { status, output } = await importFrom(url, to, kept);
    expect(status, output).toBe(0);
    expect(output.split('\n')).not.toContain(pagesIn(stopped.output)[0]);
    expect(stopped.output + output).toContain(`${withheld}: not served (403)`);
    for (const path of ['gates?includeArchived=true&', 'experiments?', 'holdouts?', 'layers?'])
      expect(await listOf(get, path)).toEqual(await listOf(shop, path));
    expect(await read(get, overrides)).toBe(await read(shop, overrides));
  }).finally(close);
});

test('another project of the same server is not taken for the one that was begun', async () => {
  const sent: string[] = [];
  const server = createServer(async (request, response) => {
    const of = request.headers['service-api-key'];
    const line = JSON.stringify({ kind: 'tag', data: [{ id: of, name: of }] });
    if (request.method === 'GET') return response.end(`${line}\n{"end":{}}\n`);
    let body = '';
    for await (const part of request) body += part;
    sent.push(body);
    response.writeHead(400).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${Object(server.address()).port}`;
  const kept = makeKept();
  for (const own of ['one', 'two', 'one']) await importFrom(url, url, kept, own);
  server.close();
  expect(sent.map((body) => JSON.parse(body.split('\n')[0] ?? '').data[0].id)).toEqual([
    'one',
    'two',
    'one',
  ]);
});

test('what was refused is read anew, as it may have been mended there', async () => {
  let exports = 0;
  const refused = [{ kind: 'tag', id: 'a', message: 'It differs.' }];
  const data = { stored: 0, unchanged: 0, skipped: 0, refused, ignored: [] };
  const server = createServer((request, response) => {
    if (request.method === 'POST') return response.end(JSON.stringify({ data }));
    exports++;
    response.end('{"kind":"tag","entity":{}}\n{"end":{}}\n');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${Object(server.address()).port}`;
  const kept = makeKept();
  for (const _ of [1, 2]) expect((await importFrom(url, url, kept)).status).toBe(1);
  server.close();
  expect(exports).toBe(2);
});

test('an export that breaks off is not taken for the whole', async () => {
  const sent: string[] = [];
  const server = createServer((request, response) => {
    if (request.method === 'POST') sent.push(request.url ?? '');
    const isExport = request.url?.endsWith('/export');
    response.writeHead(isExport ? 200 : 404).end(isExport ? '{"kind":"tag","entity":{}}\n' : '{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${Object(server.address()).port}`;
  const { output } = await importFrom(url, url, makeKept()).finally(() => server.close());
  expect(output).toContain('gates: not served');
  expect(sent).toEqual([]);
});

test('a server that says by a date when to ask again is left alone for a while, and asked again where it breaks off', async () => {
  const times: number[] = [];
  const busy = createServer((_, response) => {
    times.push(Date.now());
    if (times.length === 2) return response.write('{', () => response.destroy());
    const later = new Date(Date.now() + 60_000).toUTCString();
    response.writeHead(times.length === 1 ? 429 : 200, { 'Retry-After': later }).end('{}');
  });
  await new Promise<void>((resolve) => busy.listen(0, '127.0.0.1', resolve));
  const { port } = Object(busy.address());
  const server = { origin: `http://127.0.0.1:${port}`, key, header: 'SERVICE-API-KEY' };
  const { status, text } = await ask(server, '/').finally(() => busy.close());
  expect([status, text]).toEqual([200, '{}']);
  expect(times[1]).toBeGreaterThan(Number(times[0]) + 900);
});

test.each([
  ['what is missing', ['--from', 'http://127.0.0.1:1']],
  ['an address without its scheme', ['--from', 'localhost:1', '--key', 'any']],
])('%s is said before anything is done', async (_, args) => {
  const run = launch(process.execPath, ['scripts/import.js', ...args]);
  expect(await run.closed).toBe(1);
  expect(run.output()).toContain('npm run import takes');
});
