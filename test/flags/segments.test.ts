import { describe, expect, test } from 'vitest';
import { call, invalidPropertiesOf, ok } from '../support/client.ts';
import { everyone, makeGate, makeSegment, passing, unique } from '../support/factories.ts';
import { allowMoreTrips } from '../support/responses.ts';

const inSegment = (id: string, type = 'passes_segment') => ({
  name: `${type} ${id}`,
  passPercentage: 100,
  conditions: [{ type, targetValue: id }],
});

const makeList = (overrides = {}) => makeSegment({ type: 'id_list', ...overrides });

const ids = async (id: string) => (await ok('GET', `segments/${id}/id_list`)).ids;

test('stores every property of a body and reads it back', async () => {
  const body = {
    name: unique('Segment'),
    id: 'every_property',
    description: 'All of it.',
    idType: 'companyID',
    type: 'rule_based',
    rules: [{ ...everyone, id: 'r1', baseID: 'b1', environments: ['production'] }],
    tags: ['beta'],
    targetApps: ['web'],
    team: 'Growth',
    teamID: 't1',
  };
  await ok('POST', 'segments', body);
  expect(await ok('GET', 'segments/every_property')).toMatchObject({ ...body, count: 0 });
});

test('is rule_based, without rules and for userID unless told otherwise', async () => {
  const defaults = { type: 'rule_based', rules: [], idType: 'userID', team: null, targetApps: [] };
  expect(await makeSegment()).toMatchObject(defaults);
});

test('requires a name, and a type that exists', async () => {
  const unnamed = await call('POST', 'segments', { body: { type: 'id_list' } });
  expect(unnamed.body.errors).toEqual([{ property: 'name', errorMessage: 'is required' }]);
  const typed = await call('POST', 'segments', { body: { name: 'Typed', type: 'analysis' } });
  expect([typed.status, typed.body.errors[0].property]).toEqual([400, 'type']);
});

test('answers 409 for an id that is taken', async () => {
  const { id } = await makeSegment();
  const answer = await call('POST', 'segments', { body: { name: 'Another', id } });
  expect([answer.status, answer.body.message]).toEqual([409, 'Name is already in use']);
});

test('applies a patch: changes given properties, keeps missing ones, clears null ones', async () => {
  const { id } = await makeSegment({ team: 'Growth', tags: ['a'], rules: [everyone] });
  const changed = await ok('PATCH', `segments/${id}`, { team: null, description: 'New.' });
  expect(changed).toMatchObject({ team: null, description: 'New.', tags: ['a'], version: 2 });
  expect(changed.rules).toHaveLength(1);
  expect((await call('PATCH', `segments/${id}`, { body: { name: null } })).status).toBe(400);
});

test('accepts its own response without a new version', async () => {
  for (const type of ['rule_based', 'id_list']) {
    const segment = await makeSegment({ type });
    const again = await ok('PATCH', `segments/${segment.id}`, segment);
    expect(again.version).toBe(1);
  }
});

test('keeps the type it was created with', async () => {
  const { id } = await makeSegment();
  const answer = await call('PATCH', `segments/${id}`, { body: { type: 'id_list' } });
  expect(answer.status).toBe(400);
  expect(answer.body.errors[0]).toMatchObject({ property: 'type' });
});

test('refuses rules for an id_list', async () => {
  const body = { name: unique('Segment'), type: 'id_list', rules: [everyone] };
  const creation = await call('POST', 'segments', { body });
  const { id } = await makeList();
  const update = await call('PATCH', `segments/${id}`, { body: { rules: [everyone] } });
  for (const answer of [creation, update]) {
    expect(answer.status).toBe(400);
    expect(answer.body.errors[0].property).toBe('rules');
  }
});

test('refuses rules that name the segment itself', async () => {
  const body = { name: 'Ourselves', id: 'ourselves', rules: [everyone, inSegment('ourselves')] };
  const creation = await call('POST', 'segments', { body });
  const { id } = await makeSegment();
  const rules = [everyone, inSegment(id, 'fails_segment')];
  const update = await call('PATCH', `segments/${id}`, { body: { rules } });
  for (const answer of [creation, update]) {
    expect(answer.status).toBe(400);
    expect(answer.body.errors[0].property).toMatch(/^rules\.\d\.conditions\.0\.targetValue$/);
  }
});

test('refuses rules that name a segment or gate which does not exist', async () => {
  const gate = { ...everyone, conditions: [{ type: 'passes_gate', targetValue: 'nobody' }] };
  const body = { name: unique('Segment'), rules: [inSegment('nobody'), gate] };
  const answer = await call('POST', 'segments', { body });
  expect(answer.status).toBe(400);
  expect(answer.body.errors.map(({ property }: { property: string }) => property)).toEqual([
    'rules.0.conditions.0.targetValue',
    'rules.1.conditions.0.targetValue',
  ]);
});

test('cannot be deleted while a gate or segment names it', async () => {
  const { id } = await makeSegment();
  const gate = await makeGate({ rules: [inSegment(id)] });
  const segment = await makeSegment({ rules: [inSegment(id)] });
  const answer = await call('DELETE', `segments/${id}`);
  expect(answer.status).toBe(409);
  const referrers = answer.body.references.map((from: { kind: string; id: string }) => from.id);
  expect(referrers.sort()).toEqual([gate.id, segment.id].sort());
  await ok('DELETE', `gates/${gate.id}`);
  await ok('DELETE', `segments/${segment.id}`);
  await ok('DELETE', `segments/${id}`);
});

test('lists by type, tag and target app', async () => {
  const { id } = await makeList({ tags: ['listed'], targetApps: 'tv' });
  const rules = await makeSegment({ tags: ['listed'] });
  const found = async (query: string) =>
    (await ok('GET', `segments?tags=listed&${query}`)).map((one: { id: string }) => one.id);
  expect(await found('type=id_list')).toEqual([id]);
  expect(await found('type=rule_based')).toEqual([rules.id]);
  expect((await found('type=rule_based&type=id_list')).sort()).toEqual([id, rules.id].sort());
  expect(await found('targetAppID=tv')).toEqual([id]);
  expect((await call('GET', 'segments?type=other')).status).toBe(400);
});

test('adds and removes ids, each trimmed and once', async () => {
  const { id } = await makeList();
  const added = await ok('PATCH', `segments/${id}/id_list`, { add: [' u-1', 'u-2', 'u-1', 'u-3'] });
  expect(added).toEqual({ ids: ['u-1', 'u-2', 'u-3'], count: 3 });
  const body = { add: ['u-3', 'u-4'], remove: ['u-1 ', 'u-9'] };
  const edited = await ok('PATCH', `segments/${id}/id_list`, body);
  expect(edited).toEqual({ ids: ['u-2', 'u-3', 'u-4'], count: 3 });
  expect(await ok('GET', `segments/${id}/id_list`)).toEqual(edited);
  expect(await ok('GET', `segments/${id}`)).toMatchObject({ count: 3, version: 3 });
});

test('shows the ids on their own only', async () => {
  const { id } = await makeList();
  await ok('PATCH', `segments/${id}/id_list`, { add: ['u-1'] });
  expect(await ok('GET', `segments/${id}`)).not.toHaveProperty('ids');
  expect((await ok('GET', 'segments'))[0]).not.toHaveProperty('ids');
});

test('returns the ids by pages on request, with a link back from beyond the last', async () => {
  const { id } = await makeList();
  const path = `/console/v1/segments/${id}/id_list`;
  const all = ['u-1', 'u-2', 'u-3', 'u-4', 'u-5'];
  await ok('PATCH', path, { add: all });
  const paged = async (query: string) => {
    const { data, body } = await call('GET', `${path}?${query}`);
    const { nextPage, previousPage } = body.pagination;
    expect([data.count, body.pagination.totalItems]).toEqual([5, 5]);
    return [data.ids, previousPage, nextPage];
  };
  const page = (number: number) => `${path}?page=${number}&limit=2`;
  expect(await paged('limit=2')).toEqual([['u-1', 'u-2'], null, page(2)]);
  expect(await paged('page=2&limit=2')).toEqual([['u-3', 'u-4'], page(1), page(3)]);
  expect(await paged('page=3&limit=2')).toEqual([['u-5'], page(2), null]);
  expect(await paged('page=9&limit=2')).toEqual([[], page(3), null]);
  expect(await paged('page=1')).toEqual([all, null, null]);
});

test('makes no version of a change that leaves the ids as they are', async () => {
  const { id } = await makeList();
  const path = `segments/${id}/id_list`;
  await ok('PATCH', path, { add: ['u-1'] });
  const { headers } = await call('PATCH', path, { body: { add: ['u-1'], remove: ['u-2'] } });
  expect(headers.get('ETag')).toBe('"2"');
});

test('refuses an id that is both added and removed, an empty one, and a body with neither', async () => {
  const { id } = await makeList();
  const wrong: [unknown, string][] = [
    [{ add: ['u-1', 'u-2'], remove: ['u-0', ' u-2'] }, 'remove.1'],
    [{ add: ['u-1', ' '] }, 'add.1'],
    [{ remove: [''] }, 'remove.0'],
    [{ add: 'u-1' }, 'add'],
    [{}, 'add'],
    [{ other: ['u-1'] }, 'other'],
  ];
  for (const [body, property] of wrong) {
    const answer = await call('PATCH', `segments/${id}/id_list`, { body });
    expect(answer.status).toBe(400);
    expect(answer.body.errors.map((error: { property: string }) => error.property)).toEqual([
      property,
    ]);
  }
  expect(await ids(id)).toEqual([]);
});

test('has no list of ids where it is rule_based', async () => {
  const { id } = await makeSegment();
  const read = await call('GET', `segments/${id}/id_list`);
  const change = await call('PATCH', `segments/${id}/id_list`, { body: { add: ['u-1'] } });
  for (const answer of [read, change]) {
    expect(answer.status).toBe(409);
    expect(answer.body).toMatchObject({ type: '/problems/transition' });
    expect(answer.body.message).toContain('rule_based');
  }
});

test('loses no id when several clients add at once', async () => {
  allowMoreTrips('changes that others overtake are computed again');
  const { id } = await makeList();
  const units = ['a', 'b', 'c', 'd', 'e', 'f'];
  await Promise.all(units.map((unit) => ok('PATCH', `segments/${id}/id_list`, { add: [unit] })));
  expect((await ids(id)).sort()).toEqual(units);
});

test('answers 413 where the ids would be larger than an entity may be', async () => {
  const { id } = await makeList();
  const many = (prefix: string) =>
    Array.from({ length: 900 }, (_, index) => `${prefix}-${index}-${'x'.repeat(1000)}`);
  const path = `segments/${id}/id_list`;
  await ok('PATCH', path, { add: many('a') });
  expect((await call('PATCH', path, { body: { add: many('b') } })).status).toBe(413);
  expect(await ids(id)).toHaveLength(900);
  expect(await ok('PATCH', path, { remove: many('a') })).toEqual({ ids: [], count: 0 });
});

test('restores an earlier version, and a deleted segment with its ids', async () => {
  const { id } = await makeList();
  await ok('PATCH', `segments/${id}/id_list`, { add: ['u-1'] });
  await ok('PATCH', `segments/${id}/id_list`, { remove: ['u-1'] });
  await ok('DELETE', `segments/${id}`);
  expect((await call('GET', `segments/${id}/id_list`)).status).toBe(404);
  expect(await ok('PUT', `segments/${id}/versions/2/restore`)).toMatchObject({ count: 1 });
  expect(await ids(id)).toEqual(['u-1']);
});

test('is listed with the count of its ids, but without reading them out', async () => {
  const tag = unique('listed');
  const { id } = await makeSegment({ type: 'id_list', tags: [tag] });
  await ok('PATCH', `segments/${id}/id_list`, { add: ['a', 'b', 'c'] });
  expect(await ok('GET', `segments?tags=${tag}`)).toEqual([await ok('GET', `segments/${id}`)]);
  expect(await ok('GET', `segments/${id}`)).toMatchObject({ count: 3 });
  expect(await ok('GET', `segments/${id}/id_list`)).toMatchObject({ ids: ['a', 'b', 'c'] });
});

describe('a segment', () => {
  test('takes ids under their own name, and lists them by pages', async () => {
    const { id } = await makeSegment({ type: 'id_list' });
    const path = `segments/${id}/id_list`;
    expect(await ok('PATCH', path, { ids: ['a', 'b'] })).toEqual({ ids: ['a', 'b'], count: 2 });
    await ok('PATCH', path, { ids: ['b', 'c'], add: ['d'], remove: ['a'] });
    expect(await invalidPropertiesOf('PATCH', path, { ids: ['a'], remove: ['a'] })).toEqual([
      'remove.0',
    ]);
    const whole = await call('GET', path);
    expect([whole.data.count, whole.body.pagination]).toEqual([3, undefined]);
    const first = await call('GET', `${path}?limit=2`);
    expect(first.body).toMatchObject({
      data: { ids: whole.data.ids.slice(0, 2), count: 3 },
      pagination: { itemsPerPage: 2, pageNumber: 1, totalItems: 3, previousPage: null },
    });
    const next = await call('GET', first.body.pagination.nextPage);
    expect(next.data.ids).toEqual(whole.data.ids.slice(2));
    expect(next.body.pagination.nextPage).toBeNull();
    const beyond = await call('GET', `${path}?page=9&limit=2`);
    expect(beyond.data.ids).toEqual([]);
    expect((await call('GET', beyond.body.pagination.previousPage)).data.ids).toEqual(
      next.data.ids,
    );
  });

  test('has its rules changed alone', async () => {
    const { id } = await makeSegment();
    const rules = [{ ...everyone, id: 'r1' }];
    const sent = await ok('POST', `segments/${id}/conditional`, { rules: [] });
    expect(sent.rules).toEqual([]);
    const changed = await ok('PATCH', `segments/${id}/conditional`, { rules });
    expect(changed.rules).toMatchObject(rules);
    expect(await invalidPropertiesOf('PATCH', `segments/${id}/conditional`, {})).toEqual(['rules']);
    const list = await makeSegment({ type: 'id_list' });
    expect(
      await invalidPropertiesOf('PATCH', `segments/${list.id}/conditional`, { rules }),
    ).toEqual(['rules']);
  });

  test('is left out of lists while it is archived, and open to no new reference', async () => {
    const tag = unique('archived');
    const { id } = await makeSegment({ tags: [tag] });
    const listed = async (query = '') =>
      (await ok('GET', `segments?tags=${encodeURIComponent(tag)}${query}`)).length;
    const naming = (name: string) => ({
      ...everyone,
      name,
      conditions: [{ type: 'passes_segment', targetValue: id }],
    });
    const gate = await makeGate({ rules: [naming('In it')] });
    expect((await call('PUT', `segments/${id}/archive`)).status).toBe(409);
    await ok('PATCH', `gates/${gate.id}`, { rules: [] });
    expect((await ok('PUT', `segments/${id}/archive`)).status).toBe('archived');
    const counts = [await listed(), await listed('&includeArchived=true')];
    expect([...counts, await listed('&status=archived')]).toEqual([0, 1, 1]);
    expect(
      await invalidPropertiesOf('PATCH', `gates/${gate.id}`, { rules: [naming('Again')] }),
    ).toEqual(['rules.0.conditions.0.targetValue']);
    expect((await ok('PUT', `segments/${id}/unarchive`)).status).toBe('active');
    await ok('PATCH', `gates/${gate.id}`, {
      rules: [naming('Again'), passing(gate.id)].slice(0, 1),
    });
    expect(await listed()).toBe(1);
  });
});
