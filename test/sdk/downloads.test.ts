import { describe, expect, test } from 'vitest';
import { callApp, isolate, keyOf } from '../support/apps.ts';
import { costOf, ok } from '../support/client.ts';
import { makeGate, makeKey, makeMetric, makeSegment } from '../support/factories.ts';

const get = (path: string, headers: Record<string, string> = {}) =>
  callApp(path, { method: 'GET', key: null, headers });

const inStaging = {
  name: 'Staging',
  passPercentage: 100,
  conditions: [{ type: 'public' }],
  environments: ['staging'],
};

describe('a download', () => {
  test('contains all specs that a key may evaluate, in the requested version', async () => {
    const { id } = await makeGate({ rules: [inStaging] });
    const key = await keyOf('SERVER');
    const v1 = await get(`/v1/download_config_specs/${key}.json`);
    expect(v1.body).toMatchObject({
      has_updates: true,
      response_format: 'dcs-v1',
      default_environment: 'production',
    });
    expect(v1.body.feature_gates).toContainEqual(expect.objectContaining({ name: id }));
    const v2 = await get(`/v2/download_config_specs/${key}.json?supports_proto=true`);
    expect(v2.headers.get('Content-Type')).toBe('application/json');
    expect(v2.body).toMatchObject({ response_format: 'dcs-v2', time: v1.body.time });
    expect(v2.body.feature_gates[id].rules[0].conditions).toHaveLength(2);
    const posted = await callApp('/v1/download_config_specs', { key });
    expect(posted.body).toEqual(v1.body);
    const byQuery = await get(`/v1/download_config_specs?k=${key}`);
    expect(byQuery.body).toEqual(v1.body);
    const byBoth = await get(`/v1/download_config_specs/unknown.json?k=${key}`);
    expect(byBoth.body).toEqual(v1.body);
    const byHeader = await get('/v1/download_config_specs', { 'STATSIG-API-KEY': key });
    expect(byHeader.body).toEqual(v1.body);
    expect(costOf(byHeader).trips).toBe(0);
  });

  test('leaves out specs that the key may not evaluate', async () => {
    const { id } = await makeGate({ targetApps: ['ios'], rules: [inStaging] });
    const rulesFor = async (given: object) => {
      const key = await keyOf('SERVER', given);
      const { body } = await get(`/v1/download_config_specs/${key}.json`);
      return body.feature_gates.find(({ name }: { name: string }) => name === id)?.rules.length;
    };
    expect(await rulesFor({})).toBe(1);
    expect(await rulesFor({ environments: ['production'] })).toBe(0);
    expect(await rulesFor({ environments: ['Staging'], targetAppID: 'ios' })).toBe(1);
    expect(await rulesFor({ targetAppID: 'web' })).toBeUndefined();
  });

  test('is not sent again if unchanged, and its time grows with every change', async () => {
    const key = await keyOf('SERVER');
    const path = `/v1/download_config_specs/${key}.json`;
    const { time } = (await get(path)).body;
    const again = async () => (await get(`${path}?sinceTime=${time}`)).body;
    expect(await again()).toEqual({ has_updates: false });
    await makeMetric();
    expect(await again()).toEqual({ has_updates: false });
    await makeGate();
    expect((await again()).time).toBeGreaterThan(time);
  });

  test('requires the scope, which a client key has only if it was requested', async () => {
    const status = async (key: string) =>
      (await get(`/v1/download_config_specs/${key}.json`)).status;
    const onDevice = await makeKey({ type: 'CLIENT', scopes: ['evaluate', 'specs'] });
    expect(await status(await keyOf('CLIENT'))).toBe(403);
    expect(await status(onDevice.key)).toBe(200);
    expect(await status('secret-unknown')).toBe(401);
    expect((await get('/v1/download_config_specs')).status).toBe(401);
    expect((await get('/v1/download_config_specs/none')).status).toBe(401);
  });
});

const longList = Array.from({ length: 1001 }, (_, index) => `u-${index}`);

describe('a long ID list', () => {
  test('is a file of its own, and can be read from an offset', async () => {
    const { id } = await makeSegment({ type: 'id_list' });
    await ok('PATCH', `segments/${id}/id_list`, { add: longList });
    const key = await keyOf('SERVER');
    const lists = await callApp('/v1/get_id_lists', { key, body: {} });
    const list = lists.body[id];
    expect(list).toMatchObject({ name: id, size: 10_010, fileID: expect.stringContaining(id) });
    expect(list.url).toMatch(/^http:\/\/console\.test\/v1\/id_lists\//);
    const path = list.url.replace('http://console.test', '');
    const whole = await get(path);
    expect(whole.status).toBe(200);
    expect(whole.headers.get('Content-Length')).toBe('10010');
    expect(whole.headers.get('Content-Type')).toBe('application/octet-stream');
    expect(whole.headers.get('Cache-Control')).toContain('no-transform');
    expect(whole.text.split('\n')[0]).toMatch(/^\+[\w+/]{8}$/);
    const rest = await get(path, { Range: 'bytes=10000-' });
    expect([rest.status, rest.text]).toEqual([206, whole.text.slice(10_000)]);
    expect(rest.headers.get('Content-Range')).toBe('bytes 10000-10009/10010');
    expect((await get(path, { Range: 'bytes=10010-' })).status).toBe(416);
    await ok('PATCH', `segments/${id}/id_list`, { add: ['another'] });
    const next = (await callApp('/v1/get_id_lists', { key, body: {} })).body[id];
    expect(next.size).toBe(10_020);
    expect(next.fileID).not.toBe(list.fileID);
    expect(next.creationTime).toBeGreaterThanOrEqual(list.creationTime);
    expect((await get(path)).status).toBe(404);
    expect((await get(path.replace(/token=.*/, ''))).status).toBe(401);
    expect((await get(path.replace(id, 'another_segment'))).status).toBe(401);
  });

  test('is served by an isolate that has an older version in its snapshot', async () => {
    const { id } = await makeSegment({ type: 'id_list' });
    await ok('PATCH', `segments/${id}/id_list`, { add: longList });
    const key = await keyOf('SERVER');
    const worker = await isolate();
    const asked = { method: 'GET', key: null, worker };
    expect((await callApp('/v1/get_id_lists', { key, body: {}, worker })).body[id].size).toBe(
      10_010,
    );
    await ok('PATCH', `segments/${id}/id_list`, { add: ['another'] });
    const { url } = (await callApp('/v1/get_id_lists', { key, body: {} })).body[id];
    const found = await callApp(url.replace('http://console.test', ''), asked);
    expect([found.status, found.text.length]).toEqual([200, 10_020]);
  });
});
