import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { call } from '../support/client.ts';
import { makeExperimentIn, makeGate } from '../support/factories.ts';

const start = Date.UTC(2026, 5, 1);
const month = 30 * 24 * 60 * 60 * 1000;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: start });
});
afterEach(() => {
  vi.useRealTimers();
});

const cases: [what: string, property: string, make: () => Promise<string>][] = [
  ['a gate', 'typeReason', async () => `gates/${(await makeGate({ type: 'TEMPORARY' })).id}`],
  ['an experiment', 'isStale', async () => `experiments/${(await makeExperimentIn('active')).id}`],
];

test.each(cases)(
  '%s that only time makes stale is sent again despite If-None-Match, and accepts both tags in If-Match',
  async (_, property, make) => {
    const path = await make();
    const read = (tag?: string) =>
      call('GET', path, { headers: tag === undefined ? {} : { 'If-None-Match': tag } });
    const fresh = await read();
    const tag = fresh.headers.get('ETag') ?? '';
    expect(tag).toBe(`"${fresh.data.version}"`);
    expect((await read(tag)).status).toBe(304);
    vi.setSystemTime(start + month + 1);
    const stale = await read(tag);
    expect(stale.status).toBe(200);
    expect(stale.data).toEqual({ ...fresh.data, [property]: stale.data[property] });
    expect(stale.data[property]).not.toEqual(fresh.data[property]);
    const staleTag = stale.headers.get('ETag') ?? '';
    expect(staleTag).not.toBe(tag);
    expect((await read(staleTag)).status).toBe(304);
    const change = (ifMatch: string, description: string) =>
      call('PATCH', path, { body: { description }, headers: { 'If-Match': ifMatch } });
    expect((await change('"77.stale"', 'Wrong.')).status).toBe(412);
    const changed = await change(staleTag, 'First.');
    expect(changed.status).toBe(200);
    const next = changed.headers.get('ETag') ?? '';
    vi.setSystemTime(start + 3 * month);
    expect((await change(next, 'Second.')).status).toBe(200);
  },
);
