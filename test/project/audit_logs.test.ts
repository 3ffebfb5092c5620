import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { base, call, costOf, invalidPropertiesOf, ok } from '../support/client.ts';
import { emptyDatabase } from '../support/database.ts';
import {
  makeCompany,
  makeEnvironments,
  makeExperiment,
  makeGate,
  makeKey,
  makeValue,
  unique,
} from '../support/factories.ts';

interface Entry {
  kind: string;
  id: string;
  action: string;
  actorID: string;
  actorName: string;
  requestID: string;
}

/** Returns the entries of a query, and asserts their total. */
async function logged(query: Record<string, string>): Promise<Entry[]> {
  const { status, body } = await call('GET', `audit_logs?${new URLSearchParams(query)}`);
  expect(status, JSON.stringify(body)).toBe(200);
  expect(body.pagination.totalItems).toBe(body.data.length);
  return body.data;
}

describe('a query of the audit log', () => {
  beforeAll(emptyDatabase);

  test.each([
    ['gate', 'gates'],
    ['experiment', 'experiments'],
    ['metric_value', 'metric_values'],
    ['environment', 'environments'],
    ['company', 'companies'],
    ['key', 'keys'],
  ])('takes a kind as %s and as %s', async (singular, plural) => {
    await Promise.all([makeGate(), makeExperiment(), makeValue()]);
    await Promise.all([makeEnvironments(), makeCompany(), makeKey()]);
    const found = await logged({ kind: singular });
    expect(found.length).toBeGreaterThan(0);
    expect(new Set(found.map(({ kind }) => kind)).size).toBe(1);
    expect(await logged({ kind: plural })).toEqual(found);
  });

  test('accepts the names of its fields, and their former names', async () => {
    const { id, key } = await makeKey({ scopes: ['write'] });
    await call('POST', 'gates', { key, body: { name: unique('Gate') } });
    const byKey = await logged({ actorID: id });
    expect(byKey.map(({ action, actorID }) => [action, actorID])).toEqual([['create', id]]);
    expect(await logged({ updatedBy: id })).toEqual(byKey);
    const created = await logged({ action: 'create' });
    expect(created).toEqual(expect.arrayContaining(byKey));
    expect(await logged({ actionType: 'create' })).toEqual(created);
  });

  test.each(['kind=foo', 'kind=gatess', 'action=foo', 'actionType=foo'])(
    'refuses ?%s with 400, and lists the valid values',
    async (query) => {
      const { status, body } = await call('GET', `audit_logs?${query}`);
      const [property] = query.split('=');
      expect([status, body.errors[0].property]).toEqual([400, property]);
      const known = property === 'kind' ? ['"gate"', '"key"', '"events"'] : ['"create"', '"abort"'];
      for (const name of known) expect(body.errors[0].errorMessage).toContain(name);
    },
  );

  test('refuses an end before the start with 400', async () => {
    const dates = 'startDate=2026-02-01&endDate=2026-01-31';
    expect(await invalidPropertiesOf('GET', `audit_logs?${dates}`, undefined)).toEqual(['endDate']);
    expect((await call('GET', 'audit_logs?endDate=2026-01-31')).status).toBe(200);
  });

  test('accepts each kind and action that has an entry', async () => {
    for (const { kind, action } of await logged({ limit: '1000' })) {
      expect((await logged({ kind, action })).length).toBeGreaterThan(0);
    }
  });

  test('refuses one filter under two names with 400', async () => {
    expect(
      await invalidPropertiesOf('GET', 'audit_logs?action=create&actionType=create', undefined),
    ).toEqual(['actionType']);
    expect(await invalidPropertiesOf('GET', 'audit_logs?actorID=a&updatedBy=a', undefined)).toEqual(
      ['updatedBy'],
    );
  });
});

describe('the audit log', () => {
  beforeAll(emptyDatabase);

  test('finds the changes of an actor under a name, even after renames', async () => {
    const [first, second] = [unique('First name'), unique('Second name')];
    const { id, key } = await makeKey({ name: first, scopes: ['write'] });
    const act = async (with_ = key) => {
      const body = { name: unique('Gate') };
      return (await call('POST', 'gates', { key: with_, body })).data.id;
    };
    const before = await act();
    expect((await logged({ actorName: first })).map((entry) => entry.id)).toEqual([before]);
    await ok('PATCH', `keys/${id}`, { name: second });
    const after = await act();
    const other = await makeKey({ name: first, scopes: ['write'] });
    const others = await act(other.key);
    expect((await logged({ actorName: first })).map((entry) => entry.id)).toEqual([others, before]);
    expect((await logged({ actorName: second })).map((entry) => entry.id)).toEqual([after]);
    expect(await logged({ actorName: first, actorID: id })).toMatchObject([{ id: before }]);
    expect(await logged({ actorName: second, actorID: other.id })).toEqual([]);
    await ok('DELETE', `keys/${id}`);
    expect(await logged({ actorName: second })).toHaveLength(1);
    expect(await logged({ actorName: unique('Nobody') })).toEqual([]);
  });

  test('finds the changes of all actors with a name, and of one of them by id', async () => {
    const [shared, own] = [unique('Shared name'), unique('Own name')];
    const act = async (name: string) => {
      const { id, key } = await makeKey({ name, scopes: ['write'] });
      const { data } = await call('POST', 'gates', { key, body: { name: unique('Gate') } });
      return { actor: id, gate: data.id };
    };
    const [one, other, third] = [await act(shared), await act(shared), await act(own)];
    const found = async (query: Record<string, string>) =>
      (await logged(query)).map(({ id }) => id);
    expect(await found({ actorName: shared })).toEqual([other.gate, one.gate]);
    expect(await found({ actorName: shared, actorID: one.actor })).toEqual([one.gate]);
    expect(await found({ actorName: own, actorID: third.actor })).toEqual([third.gate]);
    expect(await found({ actorName: own, actorID: one.actor })).toEqual([]);
  });

  test('finds exactly the changes of one request', async () => {
    const ids = [unique('a'), unique('b'), unique('c')].map((name) => name.replace(' ', '_'));
    await makeGate();
    const changes = ids.map((id) => {
      return { method: 'POST', path: `${base}/gates`, body: { id, name: 'One of three' } };
    });
    await ok('POST', 'changes', { changes });
    await makeGate();
    const [{ requestID }] = await ok('GET', `gates/${ids[0]}/versions`);
    const found = await logged({ requestID });
    expect(found.map(({ id }) => id)).toEqual(ids.toReversed());
    expect(await logged({ requestID, kind: 'gates', action: 'create' })).toEqual(found);
    expect(await logged({ requestID, action: 'update' })).toEqual([]);
    for (const other of ['nonsense', `${requestID}1`, requestID.replace(/\d+$/, '1'), '.'])
      expect(await logged({ requestID: other })).toEqual([]);
  });

  test('has times that never decrease, even if the clock does', async () => {
    const { id } = await makeGate();
    const path = `gates/${id}`;
    const [{ time }] = await ok('GET', `${path}/versions`);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 3_600_000 });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    await ok('PATCH', path, { description: 'Made an hour before.' });
    const [newest] = await ok('GET', `${path}/versions`);
    expect(newest).toMatchObject({ version: 2, time });
  });

  test('lists the requested days completely', async () => {
    const midnight = Date.parse('2100-01-02');
    const { id } = await makeGate();
    await makeExperiment();
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    for (const time of [midnight - 1, midnight, midnight + 86_399_999, midnight + 86_400_000]) {
      vi.setSystemTime(time);
      await ok('PATCH', `gates/${id}`, { description: `Made at ${time}.` });
      await makeExperiment();
    }
    const [first, second, third] = ['2100-01-01', '2100-01-02', '2100-01-03'] as const;
    const filters: Record<string, string>[] = [
      { kind: 'gate', id },
      { kind: 'gate' },
      { kind: 'experiment' },
    ];
    for (const filter of filters) {
      const among = async (days: Record<string, string>) =>
        (await logged({ ...filter, ...days, limit: '1000' })).length;
      expect(await among({ startDate: first, endDate: first })).toBe(1);
      expect(await among({ startDate: second, endDate: second })).toBe(2);
      expect(await among({ startDate: third })).toBe(1);
      expect(await among({ startDate: '2100-01-04' })).toBe(0);
    }
  });
});

describe('several filters of the audit log', () => {
  let all: Entry[];
  let gate: Entry | undefined;
  const filters = ['kind', 'id', 'action', 'actorID', 'actorName', 'requestID'] as const;
  const pairs = filters.flatMap((one, index) =>
    filters.slice(index + 1).map((other) => [one, other] as const),
  );
  const readBy = async (query: Record<string, string>) =>
    costOf(await call('GET', `audit_logs?${new URLSearchParams(query)}`)).read;

  beforeAll(async () => {
    await emptyDatabase();
    const { key } = await makeKey({ scopes: ['read', 'write'] });
    for (const headers of [undefined, { 'SERVICE-API-KEY': key }])
      for (let count = 0; count < 3; count++) {
        const { data } = await call('POST', 'gates', {
          ...(headers && { headers }),
          body: { name: unique('Gate') },
        });
        await ok('PATCH', `gates/${data.id}`, { description: unique('new') });
      }
    const tags = Array.from({ length: 300 }, (_, index) => ({ name: `tag_${index}` }));
    await ok('POST', 'import', {
      kind: 'tag',
      data: tags.map((tag) => ({ ...tag, id: tag.name })),
    });
    const data = [{ id: 'brought', name: 'Brought', rules: [] }];
    await ok('POST', 'import', { kind: 'gate', data });
    all = await logged({ limit: '1000' });
    [gate] = await logged({ id: 'brought' });
  });

  test.each(pairs)('%s and %s find the intersection', async (one, other) => {
    for (const like of [all[0], all.at(-2), all.at(-1)]) {
      const query = { [one]: like?.[one] ?? '', [other]: like?.[other] ?? '', limit: '1000' };
      const both = (entry: Entry) => entry[one] === query[one] && entry[other] === query[other];
      expect(await logged(query)).toEqual(all.filter(both));
    }
  });

  test.each(pairs)(
    '%s and %s read few rows more than the more selective filter finds',
    async (one, other) => {
      const { [one]: a = '', [other]: b = '' } = gate ?? {};
      const found = [
        await logged({ [one]: a, limit: '1000' }),
        await logged({ [other]: b, limit: '1000' }),
      ];
      const least = Math.min(...found.map(({ length }) => length));
      expect(await readBy({ [one]: a, [other]: b, limit: '10' })).toBeLessThan(30 + 10 * least);
    },
  );

  test('the name of an actor and a request are found in one round trip, before the entries', async () => {
    const { actorName = '', requestID = '' } = gate ?? {};
    const query = new URLSearchParams({ actorName, requestID });
    const response = await call('GET', `audit_logs?${query}`);
    expect(response.data).toEqual([gate]);
    expect(costOf(response).trips).toBe(2);
  });
});
