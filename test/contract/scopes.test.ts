import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { forgetKeys } from '../../src/platform/http/authenticate.ts';
import { base, call, expectOfEach, ok } from '../support/client.ts';
import { emptyDatabase } from '../support/database.ts';
import {
  makeConnection,
  makeDelivery,
  makeGate,
  makeKey,
  pathOf,
  unique,
} from '../support/factories.ts';
import { scopeOf } from '../support/scopes.ts';

/** Creates a key with a scope, or one with all scopes that is no longer usable, by its kind. */
async function keysByKind(): Promise<Record<string, string | null>> {
  const all = { scopes: ['read', 'write', 'admin'] };
  const [deactivated, expired] = [await makeKey(all), await makeKey(all)];
  await ok('PATCH', `keys/${deactivated.id}/deactivate`);
  const end = env.DB.prepare('update keys set expiresTime = ? where id = ?');
  await end.bind(Date.now() - 1, expired.id).run();
  forgetKeys();
  const [read, write, admin] = [
    await makeKey({ scopes: ['read'] }),
    await makeKey({ scopes: ['write'] }),
    await makeKey({ scopes: ['admin'] }),
  ];
  return {
    none: null,
    unknown: 'wrong-key',
    deactivated: deactivated.key,
    expired: expired.key,
    read: read.key,
    write: write.key,
    admin: admin.key,
  };
}

/** The message for a key of a kind, from the kinds of `keysByKind`. */
const messages: Record<string, RegExp> = {
  none: /SERVICE-API-KEY/,
  unknown: /deactivated or expired/,
  deactivated: /deactivated or expired/,
  expired: /deactivated or expired/,
};

describe('every operation', () => {
  test('is 401 without a usable key, and 403 without its scope', async () => {
    const keys = Object.entries(await keysByKind());
    // The scope of many changes is that of each of them.
    const changes = [{ method: 'PUT', path: `${base}/gates/any/enable` }];
    await expectOfEach(
      () => true,
      async (route) => {
        const needed = scopeOf(route);
        const body = route.path === `${base}/changes` ? { changes } : undefined;
        const outcomes: unknown[] = [];
        for (const [kind, key] of keys.filter(([each]) => each !== needed)) {
          const answer = await call(route.method, pathOf(route.path, 'any'), { key, body });
          const { type, message } = answer.body;
          const isRight = (messages[kind] ?? new RegExp(`scope ${needed}`)).test(message);
          const isSecret = key !== null && JSON.stringify(answer.body).includes(key);
          if (!isRight || isSecret) outcomes.push([kind, answer.body]);
          outcomes.push(`${answer.status} ${type.split('/')[2]}`);
        }
        return outcomes;
      },
      [...Array(4).fill('401 unauthorized'), ...Array(2).fill('403 forbidden')],
    );
  });
});

describe('the audit log of a key that may only read', () => {
  let key = '';
  const read = (query = '') => call('GET', `audit_logs?limit=1000${query}`, { key });
  const kindsOf = (data: { kind: string }[]) => new Set(data.map(({ kind }) => kind));

  beforeAll(async () => {
    await emptyDatabase(); // so that one page has the whole log
    const made = await makeKey({ scopes: ['read'] });
    ({ key } = made);
    await makeConnection();
    await makeGate();
    const { id, deliveryID } = await makeDelivery();
    await ok('PUT', `webhooks/${id}/deliveries/${deliveryID}/resend`);
  });

  test.each(['key', 'wh_connection', 'webhook', 'webhook_delivery'])(
    'the audit log of a reader omits and does not count %s',
    async (kind) => {
      expect((await ok('GET', `audit_logs?kind=${kind}`)).length).toBeGreaterThan(0);
      const { data, body } = await read(`&kind=${kind}`);
      expect([data, body.pagination.totalItems]).toEqual([[], 0]);
    },
  );

  test.each([
    '',
    '&actionType=create',
    '&updatedBy=root',
    '&actionType=create&updatedBy=root',
    '&startDate=2020-01-01',
  ])('the audit log of a reader counts only visible entries, filtered by "%s"', async (query) => {
    const { data, body } = await read(query);
    expect(data.length).toBeGreaterThan(0);
    expect(kindsOf(data)).not.toContain('key');
    expect(kindsOf(data)).not.toContain('wh_connection');
    expect(body.pagination.totalItems).toBe(data.length);
    const whole = await call('GET', `audit_logs?limit=1000${query}`);
    expect(whole.body.pagination.totalItems).toBe(whole.data.length);
    expect(whole.data.length).toBeGreaterThan(data.length);
  });

  test('the audit log of a reader lists no key by its ID', async () => {
    const hidden = await makeKey();
    const { data, body } = await read(`&id=${hidden.id}`);
    expect([data, body.pagination.totalItems]).toEqual([[], 0]);
    expect(await ok('GET', `audit_logs?id=${hidden.id}`)).toHaveLength(1);
  });

  test('pages of the audit log of a reader contain all visible entries', async () => {
    const all = (await read()).data;
    const seen = [];
    let next: string | null = `${base}/audit_logs?limit=7`;
    while (next) {
      const { body } = await call('GET', next, { key });
      seen.push(...body.data);
      next = body.pagination.nextPage;
    }
    expect(seen).toEqual(all);
  });
});

describe('scopes that a key lacks', () => {
  const refused = async (key: string, method: string, path: string, body?: object) => {
    const answer = await call(method, path, { key, body });
    expect([answer.status, answer.body.type]).toEqual([403, '/problems/forbidden']);
    return answer.body.message;
  };

  test('a key cannot grant a scope it lacks to itself, another or a new key', async () => {
    const admin = await makeKey({ scopes: ['admin'] });
    const other = await makeKey({ scopes: ['admin'] });
    const wanted = { scopes: ['admin', 'write'] };
    const asked = { name: 'New key', ...wanted };
    expect(await refused(admin.key, 'POST', 'keys', asked)).toContain('write');
    for (const { id } of [admin, other])
      expect(await refused(admin.key, 'PATCH', `keys/${id}`, wanted)).toContain('write');
    const dry = await call('POST', 'keys?dryRun=true', { key: admin.key, body: asked });
    expect(dry.status).toBe(403);
    const own = { name: 'New key', scopes: ['admin'] };
    expect((await call('POST', 'keys', { key: admin.key, body: own })).status).toBe(201);
  });

  test('a key without read cannot export or create webhooks, and without write cannot import', async () => {
    const { key } = await makeKey({ scopes: ['admin'] });
    const hook = { url: 'https://hooks.example/all' };
    expect(await refused(key, 'GET', 'export')).toContain('read');
    expect(await refused(key, 'POST', 'webhooks', hook)).toContain('read');
    expect(await refused(key, 'POST', 'import', {})).toContain('write');
  });

  test('a key cannot rotate or restore a key with a scope it lacks', async () => {
    const { key } = await makeKey({ scopes: ['admin'] });
    const { id } = await makeKey({ scopes: ['read', 'admin'] });
    expect(await refused(key, 'PATCH', `keys/${id}/rotate`)).toContain('read');
    await ok('PATCH', `keys/${id}`, { scopes: ['admin'] });
    expect(await refused(key, 'PUT', `keys/${id}/versions/1/restore`)).toContain('read');
  });

  test('no key can restore a deleted key', async () => {
    const { key } = await makeKey({ scopes: ['admin'] });
    const { id } = await makeKey({ scopes: ['read', 'admin'] });
    await ok('DELETE', `keys/${id}`);
    for (const by of [key, undefined]) {
      const options = by === undefined ? {} : { key: by };
      const { status, body } = await call('PUT', `keys/${id}/versions/1/restore`, options);
      expect([status, body.type]).toEqual([409, '/problems/transition']);
    }
    expect((await call('GET', `keys/${id}`)).status).toBe(404);
  });

  test('a key cannot grant a scope it lacks in many changes', async () => {
    const { key } = await makeKey({ scopes: ['admin', 'write'] });
    const body = { name: 'New key', scopes: ['read'] };
    const changes = [{ method: 'POST', path: `${base}/keys`, body }];
    const answer = await call('POST', 'changes', { key, body: { changes } });
    expect([answer.status, answer.body.index]).toEqual([403, 0]);
  });

  test('a key may rename, restrict, deactivate and delete a key with a scope it lacks', async () => {
    const { key } = await makeKey({ scopes: ['admin'] });
    const { id } = await makeKey({ scopes: ['read', 'write'] });
    const change = async (method: string, path: string, body?: object) =>
      (await call(method, path, { key, body })).status;
    expect(await change('PATCH', `keys/${id}`, { name: 'Renamed' })).toBe(200);
    expect(await change('PATCH', `keys/${id}`, { scopes: ['read'] })).toBe(200);
    expect(await change('PATCH', `keys/${id}/deactivate`)).toBe(200);
    expect(await change('PATCH', `keys/${id}/rotate`)).toBe(200);
    expect(await change('DELETE', `keys/${id}`)).toBe(200);
  });
});

describe('a key without the scope admin', () => {
  test('a 409 lists no API keys as referrers to a key without the scope admin', async () => {
    const { key } = await makeKey({ scopes: ['write'] });
    const targetAppID = unique('app');
    const environment = unique('environment');
    await ok('POST', 'target_apps', { name: targetAppID });
    const set = (await ok('GET', 'environments')).environments.map(
      ({ name, isProduction }: { name: string; isProduction: boolean }) => ({ name, isProduction }),
    );
    await ok('POST', 'environments', {
      environments: [...set, { name: environment, isProduction: false }],
    });
    const app = { type: 'CLIENT', scopes: ['evaluate'], targetAppID, environments: [environment] };
    const { id } = await makeKey(app);
    const changes: [string, string, object | undefined][] = [
      ['DELETE', `target_apps/${targetAppID}`, undefined],
      ['POST', 'environments', { environments: set }],
    ];
    for (const [method, path, body] of changes) {
      const { status, body: refused } = await call(method, path, { body, key });
      expect([status, refused.references]).toEqual([409, []]);
      expect(JSON.stringify(refused)).not.toContain(id);
      expect((await call(method, path, { body })).body.references[0]).toMatchObject({
        kind: 'key',
        id,
      });
    }
  });
});
