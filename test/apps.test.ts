import { randomUUID } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { OFREPProvider } from '@openfeature/ofrep-provider';
import { OFREPWebProvider } from '@openfeature/ofrep-web-provider';
import { OpenFeature as OnServer } from '@openfeature/server-sdk';
import { OpenFeature as InPage } from '@openfeature/web-sdk';
import { StatsigClient } from '@statsig/js-client';
import { StatsigOnDeviceEvalClient } from '@statsig/js-on-device-eval-client';
import OlderClient from 'statsig-js';
import Statsig, { StatsigServer, type StatsigUser } from 'statsig-node';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test, vi } from 'vitest';
import { nextFree } from '../scripts/dev/port.js';
import { callLocal, devWithoutPage, launch, makeOldGate } from './support/local_server.ts';
import { copyOf } from './support/sample_database.ts';

/** Unmodified SDKs and the examples, against the local server as `npm run dev` starts it. */

const folder = copyOf(inject('sampleFolder'));
let port = 0;
let url = '';
let server: ReturnType<typeof launch> | undefined;

const manage = async (method: string, path: string, body?: object) => {
  const answer = await callLocal(port, method, path, body);
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.data;
};

const kim = { userID: 'customer-7', email: 'kim@shop.example' };

/** The text of a key that downloads what a client may have by name. */
let deviceKey = '';

/** Makes what the tests ask for beyond the sample: before anybody asks, so that it is known from the first answer on. */
async function prepare() {
  const half = [{ name: 'Half', passPercentage: 50, conditions: [{ type: 'public' }] }];
  await manage('POST', 'gates', { name: 'Half of all', id: 'half_of_all', rules: half });
  const all = [{ name: 'All', passPercentage: 100, conditions: [{ type: 'public' }] }];
  await manage('POST', 'gates', { name: 'Soon disabled', id: 'soon_disabled', rules: all });
  const scopes = ['evaluate', 'specs'];
  deviceKey = (await manage('POST', 'keys', { name: 'On a device', type: 'CLIENT', scopes })).key;
}

beforeAll(async () => {
  port = await nextFree(20_000 + Math.floor(Math.random() * 10_000));
  url = `http://localhost:${port}`;
  const started = devWithoutPage('--port', String(port), '--persist-to', folder);
  server = started;
  await started.until(() => started.output().includes('Applications ask'));
  await prepare();
  // It asks again ten seconds later, while other tests run.
  await Statsig.initialize('secret-local', { api: `${url}/v1` });
  expect(Statsig.checkGateSync(kim, 'soon_disabled')).toBe(true);
  await manage('PUT', 'gates/soon_disabled/disable');
}, 120_000);

afterAll(async () => {
  await server?.stop('SIGTERM');
  rmSync(folder, { recursive: true, force: true });
});

/** Waits until something is so, but not forever. */
async function isSoon(isSo: () => unknown): Promise<boolean> {
  for (const end = Date.now() + 15_000; Date.now() < end; await sleep(50))
    if (await isSo()) return true;
  return false;
}

const hasEvent = async (name: string) => {
  const { data } = await callLocal(port, 'GET', 'events?limit=1000');
  return data.some((event: { name: string }) => event.name === name);
};

describe('each example says what it should', () => {
  const photo = 'photo size: small';
  const managed = ['Gate created', 'version 2: 20 %', '412: Changed', 'Gate deleted'];
  test.each([
    ['sh', 'curl/ask.sh', ['"value":true', '"variant":"on"', '"reason":"TARGETING_MATCH"']],
    ['sh', 'curl/manage.sh', ['created', '"version":2', '"status":412', 'deleted']],
    // Again, when the id has had versions before.
    ['sh', 'curl/manage.sh', ['created', '"version":5', '"status":412', 'deleted']],
    ['python3', 'python/manage.py', managed],
    ['node', 'openfeature-server/main.js', ['employee: true', photo]],
    ['node', 'openfeature-web/main.js', ['employee: true', 'another customer: false']],
    ['node', 'statsig-node/main.js', ['employee: true', photo]],
  ])('%s examples/%s', async (program, file, said) => {
    process.env.CONSOLE_URL = url;
    const run = launch(program, [join('examples', file)]);
    expect(await run.closed, run.output()).toBe(0);
    for (const text of said) expect(run.output()).toContain(text);
  });

  test.each(['curl/ask.sh', 'curl/manage.sh'])('%s, that no server answers', async (file) => {
    process.env.CONSOLE_URL = 'http://localhost:9';
    const run = launch('sh', [join('examples', file)]);
    await run.closed;
    expect(run.output()).toContain('Failed to connect');
  });

  test('npm start in examples/typescript, whose types are made from the document', async () => {
    process.env.CONSOLE_URL = url;
    const run = launch('npm', ['start', '--workspace', 'examples/typescript']);
    expect(await run.closed, run.output()).toBe(0);
    for (const text of managed) expect(run.output()).toContain(text);
  });
});

describe('OpenFeature on a server', () => {
  const headers: [string, string][] = [['Authorization', 'Bearer secret-local']];
  const customer = { targetingKey: 'customer-7', email: 'kim@shop.example' };

  test('decides values of every type, and says why it cannot', async () => {
    await OnServer.setProviderAndWait(new OFREPProvider({ baseUrl: url, headers }));
    const client = OnServer.getClient();
    expect(await client.getBooleanDetails('employees', false, customer)).toMatchObject({
      value: true,
      variant: 'on',
      reason: 'TARGETING_MATCH',
      flagMetadata: { kind: 'gate', idType: 'userID' },
    });
    const delivery = 'layer:cart_and_checkout:free_delivery_from';
    expect(await client.getNumberValue(delivery, 0, customer)).toBeGreaterThan(0);
    expect(await client.getObjectValue('product_page', {}, customer)).toHaveProperty('photo_size');
    expect(await client.getBooleanDetails('no_such_flag', true, customer)).toMatchObject({
      value: true,
      errorCode: 'FLAG_NOT_FOUND',
    });
    expect(await client.getBooleanDetails('half_of_all', true, {})).toMatchObject({
      value: true,
      errorCode: 'TARGETING_KEY_MISSING',
    });
    expect(await client.getStringDetails('employees', 'code', customer)).toMatchObject({
      value: 'code',
      errorCode: 'TYPE_MISMATCH',
    });
    await OnServer.close();
  });
});

describe('OpenFeature in a page', () => {
  const provider = (key: string, pollInterval = 1000) =>
    new OFREPWebProvider({
      baseUrl: url,
      headers: [['Authorization', `Bearer ${key}`]],
      pollInterval,
    });

  test('has the flags of its user, those of another after a change, and a change in the console', async () => {
    await InPage.setContext({ targetingKey: 'customer-7', email: 'kim@shop.example' });
    await InPage.setProviderAndWait(provider('client-local'));
    const client = InPage.getClient();
    expect(client.getBooleanValue('employees', false)).toBe(true);
    await InPage.setContext({ targetingKey: 'customer-8' });
    expect(client.getBooleanValue('employees', true)).toBe(false);
    await manage('PUT', 'gates/employees/launch');
    onTestFinished(async () => {
      await manage('PUT', 'gates/employees/enable');
      await InPage.close();
    });
    expect(await isSoon(() => client.getBooleanValue('employees', false))).toBe(true);
  });

  test('ends at its start with a key that does not work', async () => {
    await expect(InPage.setProviderAndWait(provider('client-unknown'))).rejects.toThrow();
    await InPage.close();
  });
});

describe('the public service’s own SDKs', () => {
  test('on a server: decide, see a change, and report', async () => {
    expect(Statsig.checkGateSync(kim, 'employees')).toBe(true);
    Statsig.logEvent(kim, 'bought_by_node', 1);
    await Statsig.flush();
    expect(await isSoon(() => hasEvent('bought_by_node'))).toBe(true);
    expect(await isSoon(() => !Statsig.checkGateSync(kim, 'soon_disabled'))).toBe(true);
    await Statsig.shutdownAsync();
  });

  test('in a page, of today: gets the values of its user, and reports', async () => {
    const client = new StatsigClient('client-local', kim, {
      networkConfig: { api: `${url}/v1` },
      loggingEnabled: 'always',
    });
    await client.initializeAsync();
    expect(client.loadingStatus).toBe('Ready');
    expect(client.checkGate('employees')).toBe(true);
    expect(client.getLayer('product_page').get('photo_size')).toBe('small');
    client.logEvent('bought_by_js', 2);
    await client.flush();
    expect(await isSoon(() => hasEvent('bought_by_js'))).toBe(true);
    await client.shutdown();
  });

  test('in a page, of yesterday', async () => {
    vi.stubGlobal('window', globalThis); // else it takes itself for a server, and asks nothing
    await OlderClient.initialize('client-local', kim, {
      api: `${url}/v1`,
      eventLoggingApi: `${url}/v1/`,
    });
    expect(OlderClient.checkGate('employees')).toBe(true);
    expect(OlderClient.getLayer('product_page').get('photo_size', '')).toBe('small');
    OlderClient.shutdown();
    vi.unstubAllGlobals();
  });

  test.each([
    ['statsig-js', '/v1/rgstr_b'],
    ['@statsig/js-client', '/v1/rgstr'],
  ])('in a page that closes: %s sends what is left by a beacon to %s', async (sdk, path) => {
    const name = `closed_${randomUUID()}`;
    const run = launch(process.execPath, ['test/support/closing_page.js', sdk, url, name]);
    expect(await run.closed, run.output()).toBe(0);
    expect(run.output()).toContain(`${path} 202`);
    expect(await hasEvent(name)).toBe(true);
  });

  test('on a device: download what a client key may have by name', async () => {
    const client = new StatsigOnDeviceEvalClient(deviceKey, {
      networkConfig: { api: `${url}/v1` },
    });
    await client.initializeAsync();
    expect(client.checkGate('employees', kim)).toBe(true);
    expect(client.checkGate('employees', { userID: 'x' })).toBe(false);
    await client.shutdown();
  });

  test('around a native core', async (context) => {
    const core = await import('@statsig/statsig-node-core').catch(() => undefined);
    if (!core) return context.skip('no binary of it for this machine');
    const statsig = new core.Statsig('secret-local', {
      specsUrl: `${url}/v2/download_config_specs`,
      logEventUrl: `${url}/v1/log_event`,
      idListsUrl: `${url}/v1/get_id_lists`,
      specsSyncIntervalMs: 1000,
    });
    await statsig.initialize();
    const user = new core.StatsigUser(kim);
    expect(statsig.checkGate(user, 'employees')).toBe(true);
    statsig.logEvent(user, 'bought_by_core', 3);
    await statsig.flushEvents();
    expect(await isSoon(() => hasEvent('bought_by_core'))).toBe(true);
    await statsig.shutdown();
  });
});

/** A way to the server on which the first answers are lost, after what was asked has been done. */
async function losing(count: number) {
  const answered: number[] = [];
  const way = createServer(async (request, response) => {
    const { headers } = request;
    const answer = await fetch(`${url}${request.url}`, {
      method: 'POST',
      body: new Uint8Array(await buffer(request)),
      headers: Object.entries(headers).flatMap(([name, value]): [string, string][] =>
        /^(content-type|content-encoding|statsig-)/.test(name) ? [[name, String(value)]] : [],
      ),
    });
    const status = answered.push(answer.status) > count ? answer.status : 500;
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(await answer.text());
  });
  const port = await nextFree(30_000 + Math.floor(Math.random() * 10_000));
  await new Promise<void>((resolve) => way.listen(port, 'localhost', resolve));
  onTestFinished(() => void way.close());
  return { answered, port };
}

test('events of a native core count once, whose answer was lost and which come again with newer ones', async (context) => {
  const core = await import('@statsig/statsig-node-core').catch(() => undefined);
  if (!core) return context.skip('no binary of it for this machine');
  const way = await losing(1);
  const statsig = new core.Statsig('secret-local', {
    specsUrl: `${url}/v2/download_config_specs`,
    logEventUrl: `http://localhost:${way.port}/v1/log_event`,
  });
  await statsig.initialize();
  const user = new core.StatsigUser(kim);
  const [first, second] = [`first_${randomUUID()}`, `second_${randomUUID()}`];
  statsig.logEvent(user, first, 1, { a: '1', b: '2', c: '3' });
  await statsig.flushEvents();
  statsig.logEvent(user, second, 2);
  await statsig.flushEvents();
  await statsig.shutdown();
  expect(await isSoon(() => hasEvent(second))).toBe(true);
  expect(way.answered.length).toBeGreaterThan(1);
  for (const name of [first, second])
    expect((await callLocal(port, 'GET', `events/${name}`)).data).toHaveLength(1);
});

describe('what the SDKs show is counted', () => {
  /** A temporary gate that kim alone passes, left alone for long. */
  function oldGate(): Promise<string> {
    const conditions = [{ type: 'user_id', operator: 'any', targetValue: [kim.userID] }];
    const rules = [{ name: 'Kim', passPercentage: 100, conditions }];
    return makeOldGate(port, { name: `Left alone ${randomUUID()}`, rules });
  }

  /** An experiment of two halves that runs. */
  async function experiment(): Promise<string> {
    const { id } = await manage('POST', 'experiments', { name: `Counted ${randomUUID()}` });
    await manage('PUT', `experiments/${id}/start`);
    return id;
  }

  /** A hundred users of each group: of any two hundred, chance makes one group too large now and then. */
  function hundredOfEach(groups: string[], groupOf: (user: StatsigUser) => string | null) {
    const users = Array.from({ length: 1000 }, (_, index) => ({ userID: `u-${index}` }));
    return groups.flatMap((group) => users.filter((user) => groupOf(user) === group).slice(0, 100));
  }

  const gateNow = (id: string) => manage('GET', `gates/${id}`);
  /** What the newest experiment is found to be like. */
  const healthNow = async () => (await manage('GET', 'experiments?limit=1'))[0].healthChecks;
  const exposed = (units: number) =>
    expect.objectContaining({
      name: 'Exposures',
      status: 'PASSED',
      description: expect.stringContaining(`${units} units`),
    });

  test('of a server, and of a page: checks by the hour, exposures, and that a gate is of use', async () => {
    const [gate, id] = [await oldGate(), await experiment()];
    expect(await gateNow(gate)).toMatchObject({ checksPerHour: 0 });
    expect(await healthNow()).toMatchObject([{ name: 'Exposures', status: 'WAITING' }]);

    const server = new StatsigServer('secret-local', { api: `${url}/v1` });
    await server.initializeAsync();
    expect(server.checkGateSync(kim, gate)).toBe(true);
    const groupOf = (user: StatsigUser) =>
      server.getExperimentWithExposureLoggingDisabledSync(user, id).getGroupName();
    for (const user of hundredOfEach(['Control', 'Test'], groupOf))
      server.getExperimentSync(user, id);
    await server.flush();
    expect(await gateNow(gate)).toMatchObject({ checksPerHour: 1, typeReason: 'STALE_ALL_TRUE' });
    const balanced = expect.objectContaining({ name: 'Balanced groups', status: 'PASSED' });
    expect(await healthNow()).toEqual([exposed(200), balanced]);
    await server.shutdownAsync();

    const client = new StatsigClient(
      'client-local',
      { userID: 'another' },
      {
        networkConfig: { api: `${url}/v1` },
        loggingEnabled: 'always',
      },
    );
    await client.initializeAsync();
    expect(client.checkGate(gate)).toBe(false);
    expect(client.getExperiment(id).groupName).toMatch(/./);
    await client.flush();
    expect(await gateNow(gate)).toMatchObject({ checksPerHour: 2, typeReason: 'NONE' });
    expect(await healthNow()).toContainEqual(exposed(201));
    await client.shutdown();
  });
});

test.each([
  ['README.md', ['curl/ask.sh', 'openfeature-server/main.js']],
  [
    'docs/sdks.md',
    [
      'curl/ask.sh',
      'openfeature-server/main.js',
      'openfeature-web/main.js',
      'statsig-node/main.js',
    ],
  ],
])('%s shows the example programs unchanged', (document, files) => {
  const text = readFileSync(document, 'utf8');
  for (const file of files)
    expect(text).toContain(readFileSync(join('examples', file), 'utf8').trimEnd());
});
