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
import OlderClient, { StatsigClient as OlderPageClient } from 'statsig-js';
import Statsig, { StatsigServer, type StatsigUser } from 'statsig-node';
import {
  afterAll,
  beforeAll,
  describe,
  expect,
  inject,
  onTestFinished,
  type TestContext,
  test,
  vi,
} from 'vitest';
import { openDatabase } from '../../scripts/dev/database.js';
import { nextFree } from '../../scripts/dev/port.js';
import { callLocal, devWithoutPage, launch, makeOldGate } from '../support/local_server.ts';
import { copyOf } from '../support/sample_database.ts';

/** Tests unmodified SDKs and the examples against `npm run dev`. */

const folder = copyOf(inject('sampleFolder'));
let port = 0;
let url = '';
let server: ReturnType<typeof launch> | undefined;

const manage = async (method: string, path: string, body?: object) => {
  const { status, body: content, data } = await callLocal(port, method, path, body);
  expect(status, JSON.stringify(content)).toBeLessThan(300);
  return data;
};

const kim = { userID: 'customer-7', email: 'kim@shop.example' };

/** A client key with the scope `specs`. */
let deviceKey = '';

/** Creates further entities before the first evaluation, so that the first project snapshot contains them. */
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
  await started.until(() => started.output().includes('Applications use'));
  await prepare();
  // The SDK polls again after 10 s, while other tests run.
  await Statsig.initialize('secret-local', { api: `${url}/v1` });
  expect(Statsig.checkGateSync(kim, 'soon_disabled')).toBe(true);
  await manage('PUT', 'gates/soon_disabled/disable');
}, 120_000);

afterAll(async () => {
  await server?.stop('SIGTERM');
  rmSync(folder, { recursive: true, force: true });
});

/** Returns the SDK with a native core; undefined if it has no binary for this machine. */
const nativeCore = () => import('@statsig/statsig-node-core').catch(() => undefined);

/** Waits up to 15 s for a condition, and returns whether it has become true. */
async function isSoon(isTrue: () => unknown): Promise<boolean> {
  for (const end = Date.now() + 15_000; Date.now() < end; await sleep(50))
    if (await isTrue()) return true;
  return false;
}

const hasEvent = async (name: string) => {
  const { data } = await callLocal(port, 'GET', 'events?limit=1000');
  return data.some((event: { name: string }) => event.name === name);
};

describe('the examples', () => {
  const photo = 'photo size: small';
  const managed = ['Gate created', 'version 2: 20 %', '412: Changed', 'Gate deleted'];
  test.each([
    ['sh', 'curl/ask.sh', ['"value":true', '"variant":"on"', '"reason":"TARGETING_MATCH"']],
    ['sh', 'curl/manage.sh', ['created', '"version":2', '"status":412', 'deleted']],
    // Again, with an ID that has earlier versions.
    ['sh', 'curl/manage.sh', ['created', '"version":5', '"status":412', 'deleted']],
    ['python3', 'python/manage.py', managed],
    ['node', 'openfeature-server/main.js', ['employee: true', photo]],
    ['node', 'openfeature-web/main.js', ['employee: true', 'another customer: false']],
    ['node', 'statsig-node/main.js', ['employee: true', photo]],
  ])('%s examples/%s prints the expected output', async (program, file, expected) => {
    process.env.CONSOLE_URL = url;
    const run = launch(program, [join('examples', file)]);
    expect(await run.closed, run.output()).toBe(0);
    for (const text of expected) expect(run.output()).toContain(text);
  });

  test.each(['curl/ask.sh', 'curl/manage.sh'])(
    'examples/%s reports that no server is reachable',
    async (file) => {
      process.env.CONSOLE_URL = 'http://localhost:9';
      const run = launch('sh', [join('examples', file)]);
      await run.closed;
      expect(run.output()).toContain('Failed to connect');
    },
  );

  test('npm start in examples/typescript generates types and prints the expected output', async () => {
    process.env.CONSOLE_URL = url;
    const run = launch('npm', ['start', '--workspace', 'examples/typescript']);
    expect(await run.closed, run.output()).toBe(0);
    for (const text of managed) expect(run.output()).toContain(text);
  });
});

describe('OpenFeature on a server', () => {
  const headers: [string, string][] = [['Authorization', 'Bearer secret-local']];
  const customer = { targetingKey: 'customer-7', email: 'kim@shop.example' };

  test('OpenFeature on a server evaluates values of every type, and reports error codes', async () => {
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

  test('OpenFeature in a page returns the flags of its user, and follows changes of the user and of a gate', async () => {
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

  test('OpenFeature in a page rejects an unknown key at its start', async () => {
    await expect(InPage.setProviderAndWait(provider('client-unknown'))).rejects.toThrow();
    await InPage.close();
  });
});

describe('the public service’s own SDKs', () => {
  test('the server SDK evaluates, follows a change, and reports events', async () => {
    expect(Statsig.checkGateSync(kim, 'employees')).toBe(true);
    Statsig.logEvent(kim, 'bought_by_node', 1);
    await Statsig.flush();
    expect(await isSoon(() => hasEvent('bought_by_node'))).toBe(true);
    expect(await isSoon(() => !Statsig.checkGateSync(kim, 'soon_disabled'))).toBe(true);
    await Statsig.shutdownAsync();
  });

  test('the current page SDK evaluates for its user, and reports events', async () => {
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

  test('the older page SDK evaluates for its user', async () => {
    vi.stubGlobal('window', globalThis); // otherwise it assumes a server and sends no request
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
  ])('%s in a closing page sends its remaining events by a beacon to %s', async (sdk, path) => {
    const name = `closed_${randomUUID()}`;
    const run = launch(process.execPath, ['test/support/closing_page.js', sdk, url, name]);
    expect(await run.closed, run.output()).toBe(0);
    expect(run.output()).toContain(`${path} 202`);
    expect(await hasEvent(name)).toBe(true);
  });

  test('the on-device SDK downloads the spec with a client key', async () => {
    const client = new StatsigOnDeviceEvalClient(deviceKey, {
      networkConfig: { api: `${url}/v1` },
    });
    await client.initializeAsync();
    expect(client.checkGate('employees', kim)).toBe(true);
    expect(client.checkGate('employees', { userID: 'x' })).toBe(false);
    await client.shutdown();
  });

  test('the SDK with a native core evaluates and reports events', async (context) => {
    const core = await nativeCore();
    if (!core) return context.skip('it has no binary for this machine');
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

/** Starts a proxy that loses the first `count` responses, after the server has handled the requests. */
async function startLossyProxy(count: number) {
  const statuses: number[] = [];
  const proxy = createServer(async (request, response) => {
    const { headers } = request;
    const original = await fetch(`${url}${request.url}`, {
      method: 'POST',
      body: new Uint8Array(await buffer(request)),
      headers: Object.entries(headers).flatMap(([name, value]): [string, string][] =>
        /^(content-type|content-encoding|statsig-)/.test(name) ? [[name, String(value)]] : [],
      ),
    });
    const status = statuses.push(original.status) > count ? original.status : 500;
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(await original.text());
  });
  const port = await nextFree(30_000 + Math.floor(Math.random() * 10_000));
  await new Promise<void>((resolve) => proxy.listen(port, 'localhost', resolve));
  onTestFinished(() => void proxy.close());
  return { statuses, port };
}

test('events of a native core are stored once if their response is lost and they are sent again with newer ones', async (context) => {
  const core = await nativeCore();
  if (!core) return context.skip('it has no binary for this machine');
  const proxy = await startLossyProxy(1);
  const statsig = new core.Statsig('secret-local', {
    specsUrl: `${url}/v2/download_config_specs`,
    logEventUrl: `http://localhost:${proxy.port}/v1/log_event`,
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
  expect(proxy.statuses.length).toBeGreaterThan(1);
  for (const name of [first, second])
    expect((await callLocal(port, 'GET', `events/${name}`)).data).toHaveLength(1);
});

describe('counts of SDKs', () => {
  /** Creates a temporary gate that only kim passes, unchanged for 40 days. */
  function oldGate(): Promise<string> {
    const conditions = [{ type: 'user_id', operator: 'any', targetValue: [kim.userID] }];
    const rules = [{ name: 'Kim', passPercentage: 100, conditions }];
    return makeOldGate(port, { name: `Old ${randomUUID()}`, rules });
  }

  /** Creates an active experiment with two equal groups. */
  async function experiment(): Promise<string> {
    const { id } = await manage('POST', 'experiments', { name: `Counted ${randomUUID()}` });
    await manage('PUT', `experiments/${id}/start`);
    return id;
  }

  /** Returns 100 users of each group. Random users would sometimes fail the check for balanced groups. */
  function hundredOfEach(groups: string[], groupOf: (user: StatsigUser) => string | null) {
    const users = Array.from({ length: 1000 }, (_, index) => ({ userID: `u-${index}` }));
    return groups.flatMap((group) => users.filter((user) => groupOf(user) === group).slice(0, 100));
  }

  const gateNow = (id: string) => manage('GET', `gates/${id}`);
  const healthNow = async () => (await manage('GET', 'experiments?limit=1'))[0].healthChecks;
  const exposed = (units: number) =>
    expect.objectContaining({
      name: 'Exposures',
      status: 'PASSED',
      description: expect.stringContaining(`${units} units`),
    });

  test('the server SDK and the page SDK report checks and exposures, and a gate in use is not stale', async () => {
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

const spellings = ['companyID', 'CompanyID', 'COMPANYID'];

/** Returns users of three companies, and the IDs of these companies. */
function companies() {
  const ids = spellings.map(() => `c-${randomUUID()}`);
  const users = spellings.map((spelling, index) => ({
    userID: `u-${randomUUID()}`,
    customIDs: { [spelling]: ids[index] ?? '' },
  }));
  return { ids, users };
}

/** Creates and starts an experiment on companies. */
async function experiment(): Promise<string> {
  const body = { name: `Companies ${randomUUID()}`, idType: 'companyID' };
  const { id } = await manage('POST', 'experiments', body);
  await manage('PUT', `experiments/${id}/start`);
  return id;
}

const expose = (id: string, units: string[]) =>
  manage('POST', 'exposures', {
    exposures: units.map((unit, index) => ({
      ...{ kind: 'experiment', id, group: 'Test', unit, time: Date.now() },
      unitType: spellings[index],
    })),
  });

/** Returns the exposed companies of an experiment with the sum of a metric: the values of the events of a name. */
async function sums(id: string, name: string): Promise<Record<string, unknown>> {
  const { db, close } = await openDatabase(folder);
  const metric = `select exposures.unit, sum(event_units.number) as total from exposures
      join event_units on event_units.unitType = exposures.unitType
        and event_units.unitID = exposures.unit and event_units.name = ?2
      where exposures.kind = 'experiment' and exposures.id = ?1 group by exposures.unit`;
  const { results } = await db.prepare(metric).bind(id, name).all();
  await close();
  return Object.fromEntries(results.map(({ unit, total }) => [String(unit), total]));
}

type Company = ReturnType<typeof companies>['users'][number];

/** Sends an event of the value 2 for each user. */
type Log = (users: Company[], name: string, context: TestContext) => Promise<void>;

const byAPI = async (users: Company[], name: string) => {
  const events = users.map(({ userID, customIDs }) => ({
    ...{ name, value: 2, userID },
    unitIDs: customIDs,
  }));
  await manage('POST', 'events', { events });
};

const eventsOf = async (name: string): Promise<number> =>
  (await callLocal(port, 'GET', `events/${name}`)).data?.length ?? 0;

describe('unit IDs of a company in three spellings', () => {
  const withServer: Log = async (users, name) => {
    const server = new StatsigServer('secret-local', { api: `${url}/v1` });
    await server.initializeAsync();
    for (const user of users) server.logEvent(user, name, 2);
    await server.flush();
    await server.shutdownAsync();
  };

  const withPage: Log = async (users, name) => {
    const client = new StatsigClient('client-local', kim, {
      networkConfig: { api: `${url}/v1` },
      loggingEnabled: 'always',
    });
    await client.initializeAsync();
    for (const user of users) {
      await client.updateUserAsync(user);
      client.logEvent(name, 2);
    }
    await client.flush();
    await client.shutdown();
  };

  const withOlderPage: Log = async (users, name) => {
    vi.stubGlobal('window', globalThis); // otherwise it assumes a server and sends no request
    const options = { api: `${url}/v1`, eventLoggingApi: `${url}/v1/` };
    for (const user of users) {
      const client = new OlderPageClient('client-local', user, options);
      await client.initializeAsync();
      client.logEvent(name, 2);
      client.flushEvents();
      await isSoon(async () => (await eventsOf(name)) > users.indexOf(user));
      client.shutdown();
    }
    vi.unstubAllGlobals();
  };

  const onDevice: Log = async (users, name) => {
    const client = new StatsigOnDeviceEvalClient(deviceKey, {
      networkConfig: { api: `${url}/v1` },
      loggingEnabled: 'always',
    });
    await client.initializeAsync();
    for (const user of users) client.logEvent(name, user, 2);
    await client.flush();
    await client.shutdown();
  };

  const withCore: Log = async (users, name, context) => {
    const core = await nativeCore();
    if (!core) return context.skip('it has no binary for this machine');
    const statsig = new core.Statsig('secret-local', {
      specsUrl: `${url}/v2/download_config_specs`,
      logEventUrl: `${url}/v1/log_event`,
    });
    await statsig.initialize();
    for (const user of users) statsig.logEvent(new core.StatsigUser(user), name, 2);
    await statsig.flushEvents();
    await statsig.shutdown();
  };

  test.for<[string, Log]>([
    ['statsig-node', withServer],
    ['@statsig/js-client', withPage],
    ['statsig-js', withOlderPage],
    ['@statsig/js-on-device-eval-client', onDevice],
    ['@statsig/statsig-node-core', withCore],
    ['POST /events', byAPI],
  ])('are found by one metric after events from %s', async ([, log], context) => {
    const { ids, users } = companies();
    const [id, name] = [await experiment(), `paid_${randomUUID()}`];
    await log(users, name, context);
    expect(await isSoon(async () => (await eventsOf(name)) === 3)).toBe(true);
    await expose(id, ids);
    expect(await sums(id, name)).toEqual(Object.fromEntries(ids.map((unit) => [unit, 2])));
  });

  /** Evaluates the experiment for each user, which records exposures. */
  type Evaluate = (users: Company[], id: string) => Promise<void>;

  const onServer: Evaluate = async (users, id) => {
    const headers: [string, string][] = [['Authorization', 'Bearer secret-local']];
    await OnServer.setProviderAndWait(new OFREPProvider({ baseUrl: url, headers }));
    for (const { userID, customIDs } of users)
      await OnServer.getClient().getObjectValue(id, {}, { targetingKey: userID, customIDs });
    await OnServer.close();
  };

  const serverExposures: Evaluate = async (users, id) => {
    for (const user of users)
      await fetch(`${url}/v1/get_config`, {
        method: 'POST',
        headers: { 'STATSIG-API-KEY': 'secret-local', 'Content-Type': 'application/json' },
        body: JSON.stringify({ configName: id, user }),
      });
  };

  const pageExposures: Evaluate = async (users, id) => {
    const client = new StatsigClient('client-local', kim, {
      networkConfig: { api: `${url}/v1` },
      loggingEnabled: 'always',
    });
    await client.initializeAsync();
    for (const user of users) {
      await client.updateUserAsync(user);
      client.getExperiment(id);
    }
    await client.flush();
    await client.shutdown();
  };

  test.each([
    ['OpenFeature on a server', onServer],
    ['plain HTTP', serverExposures],
    ['@statsig/js-client', pageExposures],
  ])('are found by one metric after exposures from %s', async (_, evaluate) => {
    const { ids, users } = companies();
    const [id, name] = [await experiment(), `paid_${randomUUID()}`];
    await byAPI(users, name);
    await evaluate(users, id);
    const expected = Object.fromEntries(ids.map((unit) => [unit, 2]));
    const hasUnits = async () => Object.keys(await sums(id, name)).length === 3;
    expect(await isSoon(hasUnits)).toBe(true);
    expect(await sums(id, name)).toEqual(expected);
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
