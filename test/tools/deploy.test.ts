import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { placeholder } from '../../scripts/deploy/config.js';
import { addressIn } from '../../scripts/deploy/worker.js';
import { getPlatformProxy } from '../../scripts/dev/wrangler.js';
import { recordOf } from '../../src/base/value_types.ts';
import {
  type ApiRequest,
  accountId,
  databaseId,
  startCloudflareApi,
} from '../support/cloudflare_api.ts';
import { type Documented, documented, worker } from '../support/cloudflare_documentation.ts';
import { launch } from '../support/local_server.ts';

const folder = mkdtempSync(join(tmpdir(), 'deploy-'));
afterAll(() => rmSync(folder, { recursive: true, maxRetries: 5 }), 120_000);

/** What a clone has that is part of a deployment; the page is built by it. */
const ofDeployment = [
  'drizzle',
  'scripts',
  'src',
  'package.json',
  'tsconfig.json',
  'wrangler.toml',
];

/** Makes a clone of this project, with its packages. */
function makeClone() {
  const clone = mkdtempSync(join(folder, 'clone-'));
  const filter = (path: string) => path !== join('src', 'assets', 'page');
  for (const name of ofDeployment) cpSync(name, join(clone, name), { recursive: true, filter });
  symlinkSync(resolve('node_modules'), join(clone, 'node_modules'), 'junction');
  return clone;
}

/** The texts of all files below a folder. */
const textsIn = (path: string) =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'));

const clone = makeClone();
let home = '';
let api: Awaited<ReturnType<typeof startCloudflareApi>>;

/** Starts the API and restores wrangler.toml for each test. */
function prepareEach() {
  beforeEach(async () => {
    cpSync('wrangler.toml', join(clone, 'wrangler.toml'));
    rmSync(join(clone, '.wrangler'), { recursive: true, force: true });
    home = mkdtempSync(join(folder, 'home-'));
    api = await startCloudflareApi();
  });
  afterEach(() => api.close());
}

function start(args: string[] = [], env: NodeJS.ProcessEnv = {}) {
  const own = {
    HOME: home,
    XDG_CONFIG_HOME: home,
    CI: '',
    PAGE: 'none',
    CLOUDFLARE_API_BASE_URL: `${api.origin}/client/v4`,
    CLOUDFLARE_API_TOKEN: 'token',
    CLOUDFLARE_ACCOUNT_ID: accountId,
  };
  return launch(process.execPath, ['scripts/deploy.js', ...args], { ...own, ...env }, clone);
}

async function deploy(args: string[] = [], env: NodeJS.ProcessEnv = {}) {
  const run = start(args, env);
  return { status: await run.closed, output: run.output() };
}

const toHealth = () => ['--url', api.origin, '--wait', '0'];

const config = () => readFileSync(join(clone, 'wrangler.toml'), 'utf8');

/** The secrets that an output shows. */
const secretsIn = (output: string): Record<string, string> =>
  Object.fromEntries(
    [...output.matchAll(/^ {2}(ROOT_API_KEY|SEALING_KEY)=(\S+)$/gm)].map((match) => match.slice(1)),
  );

const callsOf = (requests: ApiRequest[]) => requests.map(({ call }) => call);

describe('npm run deploy', () => {
  prepareEach();

  test('prints what it would do with --dry-run, and sends and writes nothing', async () => {
    const before = config();
    const { status, output } = await deploy(['--dry-run']);
    expect(status).toBe(0);
    expect(output).toContain('Find or create the D1 database experimentation-console');
    expect(output).toContain('ROOT_API_KEY and SEALING_KEY');
    expect(output).toContain('Nothing was sent.');
    expect(api.requests).toEqual([]);
    expect(config()).toBe(before);
  });

  test('goes on after a failure at each step, until the Worker responds', async () => {
    const before = config();
    /** The calls that fail, one in each run, and what a run says failed. */
    const failures = [
      { call: 'GET /accounts/:account/d1/database', says: 'wrangler d1 list' },
      { call: 'POST /accounts/:account/d1/database', says: 'wrangler d1 create', isDone: true },
      {
        call: 'POST /accounts/:account/d1/database/:database/query',
        sql: "'0005_",
        says: 'wrangler d1 migrations apply',
      },
      { call: `GET ${worker}/secrets`, says: 'wrangler secret list' },
      { call: `PATCH ${worker}/settings`, says: 'wrangler secret bulk' },
      { call: `PATCH ${worker}/settings`, says: 'wrangler secret bulk', isDone: true },
      { call: `PUT ${worker}/schedules`, says: 'wrangler deploy' },
    ];
    const shown: Record<string, string>[] = [];
    for (const failure of failures) {
      api.state.failing = failure;
      const { status, output } = await deploy(toHealth());
      expect(status, output).toBe(1);
      expect(output).toContain('failed on purpose');
      expect(output).toContain(`\`${failure.says}`);
      expect(output).toContain('To go on, run the same command again.');
      expect(api.state.failing, failure.call).toBeUndefined();
      shown.push(secretsIn(output));
    }
    expect(config()).toBe(before.replace(placeholder, databaseId));

    api.state.unhealthy = 1;
    const unhealthy = await deploy(toHealth());
    expect(unhealthy.status).toBe(1);
    expect(unhealthy.output).toContain('503 {"detail":"incomplete"}');

    api.state.unhealthy = 1;
    const last = api.requests.length;
    const { status, output } = await deploy(['--url', `${api.origin}/`, '--wait', '20'], {
      PAGE: '',
    });
    expect(status, output).toBe(0);
    expect(output).toContain(`curl ${api.origin}/console/v1/gates`);

    // The secrets were shown each time that they were sent, and those that are set were shown last.
    const secrets = shown.filter((values) => Object.keys(values).length > 0);
    expect(secrets).toHaveLength(2);
    expect(api.state.secrets).toEqual(secrets.at(-1));
    expect(api.state.secrets?.ROOT_API_KEY).toMatch(/^[0-9a-f]{64}$/);
    expect(Buffer.from(api.state.secrets?.SEALING_KEY ?? '', 'base64')).toHaveLength(32);
    expect(secretsIn(output)).toEqual({});
    for (const text of [...textsIn(home), ...textsIn(join(clone, '.wrangler'))])
      for (const value of secrets.flatMap(Object.values)) expect(text).not.toContain(value);

    // Nothing was done twice.
    const migrations = readdirSync('drizzle/migrations').filter((name) => name.endsWith('.sql'));
    expect(api.state.migrations).toEqual(migrations.sort());
    const calls = callsOf(api.requests);
    expect(calls.filter((call) => call === 'POST /accounts/:account/d1/database')).toHaveLength(1);
    const again = callsOf(api.requests.slice(last));
    expect(again).not.toContain('GET /accounts/:account/d1/database');
    expect(again).not.toContain(`PATCH ${worker}/settings`);

    // The page is deployed with the Worker.
    const manifest = api.requests.findLast(({ call }) => call.endsWith('/assets-upload-session'));
    expect(Object.keys(recordOf(manifest?.body?.manifest))).toContain('/page/main.js');

    for (const request of api.requests) expect(faultOf(request), request.call).toBeUndefined();
    const uploads = api.requests.filter(({ call }) => call === `POST ${worker}/versions`);
    const bindings = { name: 'DB', type: 'd1', id: databaseId };
    for (const { body } of uploads) expect(body?.metadata?.bindings).toContainEqual(bindings);
    for (const { token } of api.requests) expect(token).toMatch(/^(token|jwt)$/);
  }, 600_000); // eleven runs, each of up to four programs, beside all other tests

  test('signs in through the browser when nobody is signed in', async () => {
    const browsers = mkdtempSync(join(folder, 'browsers-'));
    for (const name of ['xdg-open', 'open'])
      writeFileSync(join(browsers, name), '#!/bin/sh\n', { mode: 0o755 });
    const env = {
      CLOUDFLARE_API_TOKEN: undefined,
      WRANGLER_TOKEN_URL: `${api.origin}/oauth2/token`,
      PATH: browsers,
    };
    api.state.failing = { call: 'GET /accounts/:account/d1/database' };
    const run = start([], env);
    const link = () => run.output().match(/https:\S+\/oauth2\/auth\?\S+/)?.[0] ?? '';
    await run.until(() => link() !== '');
    const back = new URL('http://localhost:8976/oauth/callback?code=of-the-test');
    back.searchParams.set('state', new URL(link()).searchParams.get('state') ?? '');
    // wrangler prints the link before its server listens.
    await vi.waitFor(() => fetch(back, { redirect: 'manual' }), { timeout: 60_000 });
    await run.closed;
    expect(run.output()).toContain('Successfully logged in');
    expect(api.requests.at(-1)).toMatchObject({
      call: 'GET /accounts/:account/d1/database',
      token: 'token-by-browser',
    });
    // The next run needs no browser.
    api.state.failing = { call: 'GET /accounts/:account/d1/database' };
    const { output } = await deploy([], env);
    expect(output).not.toContain('oauth2');
    expect(output).toContain('`wrangler d1 list');
  });

  test('takes the options that the guide explains', async () => {
    const { output } = await deploy(['--help']);
    const options = output.match(/--[a-z-]+(?= )/g) ?? [];
    expect(options).toEqual(['--dry-run', '--url', '--wait']);
    const guide = readFileSync('docs/deploy.md', 'utf8');
    for (const option of options) expect(guide).toContain(`npm run deploy -- ${option}`);
  });

  test('refuses an address or a time that is none', async () => {
    for (const args of [['--url', 'example.com'], ['--wait', 'long'], ['now']]) {
      const { status, output } = await deploy(args);
      expect(status).toBe(1);
      expect(output).toContain('npm run deploy takes');
    }
  });
});

describe('npm run deploy in CI', () => {
  prepareEach();

  const inCI = { CI: 'true', WRANGLER_CI_OVERRIDE_NAME: 'experimentation-console' };

  /** Makes the clone that a Deploy to Cloudflare button makes: with the database's ID and a name of its own. */
  function asByButton() {
    const text = config().replace(placeholder, databaseId);
    writeFileSync(
      join(clone, 'wrangler.toml'),
      text.replace(/^name = .*$/m, 'name = "my-console"'),
    );
  }

  test('names the token to set when nobody is signed in', async () => {
    const { status, output } = await deploy([], { ...inCI, CLOUDFLARE_API_TOKEN: undefined });
    expect(status).toBe(1);
    expect(output).toContain('set CLOUDFLARE_API_TOKEN');
    expect(api.requests).toEqual([]);
  });

  test('deploys with the ID and the secrets that a button has set, and reports where CI reads it', async () => {
    asByButton();
    api.state.secrets = { ROOT_API_KEY: 'mine', SEALING_KEY: 'mine' };
    const reports = mkdtempSync(join(folder, 'reports-'));
    const env = { ...inCI, WRANGLER_OUTPUT_FILE_DIRECTORY: reports };
    const { status, output } = await deploy(toHealth(), env);
    expect(status, output).toBe(0);
    expect(secretsIn(output)).toEqual({});
    expect(api.state.secrets).toEqual({ ROOT_API_KEY: 'mine', SEALING_KEY: 'mine' });
    expect(callsOf(api.requests)).not.toContain('GET /accounts/:account/d1/database');
    expect(textsIn(reports).join()).toContain('"type":"deploy"');
  });

  test('shows no secret, and names those that are missing once the Worker is deployed', async () => {
    asByButton();
    const { status, output } = await deploy(toHealth(), inCI);
    expect(status).toBe(1);
    expect(output).toContain('cannot work without ROOT_API_KEY and SEALING_KEY');
    expect(secretsIn(output)).toEqual({});
    expect(api.state.isDeployed).toBe(true);
  });
});

const isIn = (allowed: string[]) => (name: string) => allowed.includes(name);

/** Returns what of a request the documentation does not have, or what it wants and the request lacks. */
function faultOf({ call, query, body }: ApiRequest) {
  const expected: Documented | undefined = documented[call];
  if (expected === undefined) return 'not documented';
  const { required = [], optional = [], query: parameters = [] } = expected;
  const sent = [body ?? {}].flat().flatMap((part) => Object.keys(part));
  const unknown = sent.filter(
    (name) => !isIn([...required, ...optional])(name) && !isFile(body, name),
  );
  const strange = Object.keys(query).filter((name) => !isIn(parameters)(name));
  const lacking = required.filter((name) => !isIn(sent)(name));
  const faults = [...unknown, ...strange, ...lacking.map((name) => `no ${name}`)];
  return faults.length > 0 ? faults.join() : undefined;
}

/** Whether a part of a form is the Worker's script, which has the name that its metadata says. */
const isFile = (body: ApiRequest['body'], name: string) => body?.metadata?.main_module === name;

test.each([
  [['https://console.me.workers.dev', 'schedule: * * * * *'], 'https://console.me.workers.dev'],
  [['flags.example.com (custom domain)', 'schedule: * * * * *'], 'https://flags.example.com'],
  [['flags.example.com/* (zone name: example.com)'], undefined],
  [[], undefined],
])('the address among the targets %j is %s', (targets, address) => {
  expect(addressIn(targets)).toBe(address);
});

describe('wrangler.toml', () => {
  const text = readFileSync('wrangler.toml', 'utf8');

  test('has a placeholder for the ID of the database, once', () => {
    expect(text.split(placeholder)).toHaveLength(2);
    expect(text).toContain(`database_id = "${placeholder}"`);
  });

  test('asks for no later runtime than the one that is installed', () => {
    const { compatibilityDate } = createRequire(
      createRequire(import.meta.url).resolve('miniflare'),
    )('workerd');
    const [, wanted = ''] = text.match(/^compatibility_date = "(.+)"$/m) ?? [];
    expect(wanted).toMatch(/^\d{4}-\d\d-\d\d$/);
    expect(wanted <= compatibilityDate, `${wanted}, installed is ${compatibilityDate}`).toBe(true);
  });

  test('keeps local data from before it named a database, and when a deployment names another', async () => {
    const data = mkdtempSync(join(folder, 'data-'));
    async function runOn(configText: string, sql: string) {
      const own = mkdtempSync(join(folder, 'config-'));
      mkdirSync(join(own, 'src/assets'), { recursive: true });
      writeFileSync(join(own, 'src/index.ts'), 'export default {};\n');
      writeFileSync(join(own, 'wrangler.toml'), configText);
      const { env, dispose } = await getPlatformProxy<Env>({
        configPath: join(own, 'wrangler.toml'),
        persist: { path: join(data, 'v3') },
      });
      try {
        return (await env.DB.prepare(sql).all()).results;
      } finally {
        await dispose();
      }
    }
    const before = text.replace(/^(preview_)?database_id = .*\n/gm, '');
    expect(before).not.toContain('database_id =');
    await runOn(before, "create table kept as select 'kept' as id");
    const read = 'select id from kept';
    expect(await runOn(text, read)).toEqual([{ id: 'kept' }]);
    expect(await runOn(text.replace(placeholder, databaseId), read)).toEqual([{ id: 'kept' }]);
  });
});
