import { beforeAll, describe, expect, test } from 'vitest';
import { dynamicConfigs } from '../../src/flags/dynamic_configs/table.ts';
import { gates } from '../../src/flags/gates/table.ts';
import { base, call, ok, send } from '../support/client.ts';
import { emptyDatabase } from '../support/database.ts';
import { fixtures, makeGate, unique } from '../support/factories.ts';
import { listsByBuilder } from '../support/lists.ts';
import { randomOf } from '../support/random.ts';
import { multiply } from '../support/seed.ts';

interface Gate {
  id: string;
  name: string;
  status: string;
  type: string;
  idType: string;
  teamID: string | null;
  tags: string[];
  targetApps: string[];
  creatorID: string;
  createdTime: number;
  lastModifiedTime: number;
}

/** A gate that shares each value with many others, and its name except for case with one. */
const model = (index: number) => ({
  id: `gate_${index}`,
  name: `${index < 10 ? 'Name' : 'NAME'} ${index % 10}`,
  description: index % 6 ? 'Common.' : 'A quagga.',
  tags: [['red'], ['green', 'blue'], ['blue'], []][index % 4],
  targetApps: index % 5 ? [] : ['web'],
  type: index % 6 ? 'PERMANENT' : 'TEMPORARY',
  idType: index % 7 ? 'userID' : 'companyID',
  teamID: index % 6 === 1 ? 'team' : null,
  isEnabled: index % 5 !== 2,
  ...(index % 6 === 5 && { creatorID: 'someone' }),
});

/** Creates gates with shared creation times, 60 of them archived; each has `copies` copies. */
async function fill(copies: number): Promise<void> {
  await emptyDatabase();
  for (let index = 0; index < 20; index++) await makeGate(model(index));
  await multiply(gates, copies, 0);
  const archived = Array.from(
    { length: 60 },
    (_, index) => `gate_${index % 20}_${(index % 3) + 1}`,
  );
  for (const from of [0, 30]) {
    const changes = archived
      .slice(from, from + 30)
      .map((id) => ({ method: 'PUT', path: `${base}/gates/${id}/archive` }));
    await ok('POST', 'changes', { changes });
  }
}

/** Returns a page without checking it against the document. */
async function page(path: string): Promise<{ data: Gate[]; pagination: Record<string, never> }> {
  const response = await send('GET', path);
  expect(response.status).toBe(200);
  return response.json();
}

/** Returns all pages by their links, forward and then back from the last. */
async function walk(path: string): Promise<{ forward: Gate[][]; back: Gate[][] }> {
  const forward: Gate[][] = [];
  const back: Gate[][] = [];
  let last = path;
  for (let next: string | null = path; next; ) {
    const { data, pagination } = await page(next);
    expect(pagination.pageNumber).toBe(forward.push(data));
    last = next;
    next = pagination.nextPage ?? null;
  }
  for (let previous: string | null = last; previous; ) {
    const { data, pagination } = await page(previous);
    expect(pagination.pageNumber).toBe(forward.length - back.length);
    back.unshift(data);
    previous = pagination.previousPage ?? null;
  }
  return { forward, back };
}

const idsOf = (pages: Gate[][]) => pages.flat().map(({ id }) => id);

type Filter = [query: string, passes: (gate: Gate) => boolean];

const filters: Filter[] = [
  ['', () => true],
  ['status=Disabled', ({ status }) => status === 'Disabled'],
  ['status=Disabled&status=Archived', ({ status }) => ['Disabled', 'Archived'].includes(status)],
  ['tags=red', ({ tags }) => tags.includes('red')],
  ['tags=red&tags=green', ({ tags }) => tags.includes('red') || tags.includes('green')],
  ['tags=green&tags=blue', ({ tags }) => tags.includes('blue')],
  ['targetAppID=web', ({ targetApps }) => targetApps.includes('web')],
  ['type=TEMPORARY', ({ type }) => type === 'TEMPORARY'],
  ['idType=companyID', ({ idType }) => idType === 'companyID'],
  ['teamID=team', ({ teamID }) => teamID === 'team'],
  ['creatorID=someone', ({ creatorID }) => creatorID === 'someone'],
  ['creatorName=CONSOLE+API', () => true],
  ['createdStartDate=2026-01-01&createdEndDate=2099-01-01', () => true],
  ['search=quag', ({ type }) => type === 'TEMPORARY'],
  ['search=quag&tags=red', ({ type, tags }) => type === 'TEMPORARY' && tags.includes('red')],
  ['tags=red&type=PERMANENT', ({ tags, type }) => tags.includes('red') && type === 'PERMANENT'],
  [
    'tags=blue&targetAppID=web&type=PERMANENT',
    (gate) => gate.tags.includes('blue') && gate.targetApps.length > 0 && gate.type === 'PERMANENT',
  ],
  [
    'status=In+Progress&type=PERMANENT&idType=userID&tags=red&tags=blue&creatorName=CONSOLE+API',
    ({ status, type, idType, tags }) =>
      status === 'In Progress' && type === 'PERMANENT' && idType === 'userID' && tags.length > 0,
  ],
];

type Order = [query: string, compare: (one: Gate, other: Gate) => number];

const compare = <Value>(one: Value, other: Value) => (one < other ? -1 : one > other ? 1 : 0);
const byName: Order[1] = (one, other) =>
  compare(one.name.toLowerCase(), other.name.toLowerCase()) || compare(one.id, other.id);
const newest =
  (key: 'createdTime' | 'lastModifiedTime'): Order[1] =>
  (one, other) =>
    compare(other[key], one[key]) || compare(one.id, other.id);
const reversed =
  (order: Order[1]): Order[1] =>
  (one, other) =>
    order(other, one);

const orders: Order[] = [
  ['', newest('createdTime')],
  ['sortOrder=asc', reversed(newest('createdTime'))],
  ['sortKey=lastModifiedTime', newest('lastModifiedTime')],
  ['sortKey=lastModifiedTime&sortOrder=asc', reversed(newest('lastModifiedTime'))],
  ['sortKey=name', byName],
  ['sortKey=name&sortOrder=desc', reversed(byName)],
];

describe('a list of 140', () => {
  let all: Gate[] = [];
  beforeAll(async () => {
    await fill(6);
    all = await ok('GET', 'gates?includeArchived=true&limit=1000');
    expect(new Set(all.map(({ id }) => id)).size).toBe(140);
  });

  /** The expected IDs of a list, filtered and sorted here. */
  const expected = ([, passes]: Filter, [, order]: Order, showsArchived: boolean) =>
    all
      .filter((gate) => passes(gate) && (showsArchived || gate.status !== 'Archived'))
      .sort(order)
      .map(({ id }) => id);

  async function check(filter: Filter, order: Order, archived: boolean, limit: number) {
    const query = `${filter[0]}&${order[0]}${archived ? '&includeArchived=true' : ''}`;
    const showsArchived = archived || filter[0].includes('status=');
    const ids = expected(filter, order, showsArchived);
    const { forward, back } = await walk(`gates?${query}&limit=${limit}`);
    expect(idsOf(forward), query).toEqual(ids);
    expect(back, query).toEqual(forward);
    expect(ids.length).toBeGreaterThan(0);
  }

  test.each(filters)(
    'gates?%s lists each of 140 gates once in every order, at 50 per page',
    async (...filter) => {
      for (const [place, order] of orders.entries())
        await check(filter, order, place % 2 === 0, 50);
    },
  );

  const narrow = filters.filter(([query]) => !/^$|creatorName=CONSOLE\+API$|^created/.test(query));

  test.each(narrow.map((filter, index): [string, Filter, number] => [filter[0], filter, index]))(
    'gates?%s lists each of 140 gates once in some orders, at 7 per page',
    async (_, filter, index) => {
      for (const [place, order] of orders.entries())
        if ((place + index) % 2 === 0) await check(filter, order, place < 3, 7);
    },
  );

  test.each(orders)(
    'gates?%s lists each of 140 gates once, at 7 per page and at 1 with a filter',
    async (...order) => {
      await check(['', () => true], order, true, 7);
      const red: Filter = [
        'search=quag&tags=red',
        ({ type, tags }) => type === 'TEMPORARY' && tags.includes('red'),
      ];
      await check(red, order, false, 1);
    },
  );

  test('a page by number equals the page by links', async () => {
    for (const [query] of orders) {
      const { forward } = await walk(`gates?${query}&limit=20`);
      for (const page of [3, 1, 4]) {
        const { data, body } = await call('GET', `gates?${query}&limit=20&page=${page}`);
        expect(data).toEqual(forward[page - 1]);
        expect(body.pagination.previousPage === null).toBe(page === 1);
        if (page !== 3) continue;
        expect((await call('GET', body.pagination.nextPage)).data).toEqual(forward[3]);
        expect((await call('GET', body.pagination.previousPage)).data).toEqual(forward[1]);
      }
    }
  });
});

test('a page of large entities ends at 8 MB, and its links continue from there', async () => {
  await emptyDatabase();
  const value = { text: 'é'.repeat(300_000) };
  await ok('POST', 'dynamic_configs', { name: 'Large', defaultValue: value });
  await multiply(dynamicConfigs, 12); // 1.2 MB each, because the value is stored as text too
  const { forward, back } = await walk('dynamic_configs?limit=100');
  for (const pages of [forward, back]) expect(pages.map(({ length }) => length)).toEqual([6, 6, 1]);
  const ids = idsOf(forward);
  expect([ids.length, new Set(ids).size]).toEqual([13, 13]);
  expect(idsOf(back)).toEqual(ids);
  expect((await page('dynamic_configs?limit=5')).data).toHaveLength(5);
  const numbered = await page('dynamic_configs?limit=9&page=1');
  expect(numbered.data).toHaveLength(9); // because page=2 continues after these
});

describe('a list that changes between pages', () => {
  /** Creates, deletes, archives and renames gates anywhere in the list. */
  async function disturb(others: string[]): Promise<void> {
    const { below } = randomOf(others.length + 1);
    const change = (method: string, id: string, rest = '') => ({
      method,
      path: `${base}/gates/${id}${rest}`,
    });
    const [gone, archived, renamed] = others.splice(0, 3);
    const names = ['AAA first', `Name ${below(10)} ${below(12)} other`, 'zzz last'];
    const changes = [
      ...(gone ? [change('DELETE', gone)] : []),
      ...(archived ? [change('PUT', archived, '/archive')] : []),
      ...(renamed ? [{ ...change('PATCH', renamed), body: { name: 'Moved' } }] : []),
      ...names.map((name) => ({
        method: 'POST',
        path: `${base}/gates`,
        body: { name, id: unique('other').replace(' ', '_'), tags: ['red', 'blue'] },
      })),
    ];
    await ok('POST', 'changes', { changes });
  }

  /** Returns the IDs of all pages in one direction, with changes after each page. */
  async function collect(path: string, link: 'nextPage' | 'previousPage', others: string[]) {
    const ids: string[] = [];
    for (let at: string | null = path; at; ) {
      const { data, pagination } = await page(at);
      ids.push(...data.map(({ id }) => id));
      at = pagination[link] ?? null;
      await disturb(others);
    }
    return ids;
  }

  const times = (ids: string[], wanted: string[]) =>
    wanted.map((id) => ids.filter((each) => each === id).length);

  test.each([
    '',
    'sortOrder=asc',
    'sortKey=name',
    'sortKey=name&sortOrder=desc',
    'sortKey=lastModifiedTime',
    'tags=blue',
    'tags=red&tags=blue&sortKey=name',
    'type=PERMANENT&tags=red',
  ])(
    'gates?%s lists unchanged gates exactly once while others change, forward and back',
    async (query) => {
      await fill(5);
      const listed: Gate[] = await ok('GET', `gates?${query}&limit=1000`);
      const unchanged = listed.map(({ id }) => id).filter((_, index) => index % 2 === 0);
      const others = listed.map(({ id }) => id).filter((_, index) => index % 2 === 1);
      const forward = await collect(`gates?${query}&limit=25`, 'nextPage', others);
      expect(times(forward, unchanged)).toEqual(unchanged.map(() => 1));
      const { totalItems } = (await call('GET', `gates?${query}&limit=25`)).body.pagination;
      const last = `gates?${query}&limit=25&page=${Math.ceil(totalItems / 25)}`;
      const back = await collect(last, 'previousPage', others);
      expect(times(back, unchanged)).toEqual(unchanged.map(() => 1));
    },
  );

  test('the links of a list that shrinks lead to the remaining gates', async () => {
    await emptyDatabase();
    for (let index = 0; index < 6; index++) await makeGate({ id: `gate_${index}` });
    const second = await call('GET', 'gates?limit=2&page=2');
    for (const id of ['gate_4', 'gate_5']) await ok('DELETE', `gates/${id}`);
    const first = await call('GET', second.body.pagination.previousPage);
    expect([first.data, first.body.pagination.nextPage]).toEqual([[], null]);
    expect(first.body.pagination.previousPage).toBeNull();
    const third = await call('GET', second.body.pagination.nextPage);
    expect(third.data.map(({ id }: Gate) => id)).toEqual(['gate_1', 'gate_0']);
    for (let index = 0; index < 4; index++) await ok('DELETE', `gates/gate_${index}`);
    const none = await call('GET', second.body.pagination.nextPage);
    expect(none.body.pagination).toMatchObject({
      totalItems: 0,
      nextPage: null,
      previousPage: null,
    });
  });
});

describe('an invalid position', () => {
  const encoded = (value: unknown) =>
    new TextEncoder().encode(JSON.stringify(value)).toBase64({ alphabet: 'base64url' });
  const nonsense = [
    '',
    'x',
    '***',
    'null',
    encoded(null),
    encoded('ab'),
    encoded({ key: 1, id: 'x' }),
    encoded([]),
    encoded([1]),
    encoded([1, 'gate', 'more']),
    encoded([null, 'gate']),
    encoded([true, 'gate']),
    encoded([1.5, 'gate']),
    encoded([[1], 'gate']),
    new TextEncoder().encode('[1e999, "gate"]').toBase64({ alphabet: 'base64url' }),
    new Uint8Array([0xff, 0xfe, 0x00]).toBase64({ alphabet: 'base64url' }),
  ];

  /** The load history has pages, but no positions. */
  const withPositions = listsByBuilder.filter(([builder]) => !/pulse_load_history$/.test(builder));

  async function refuses(path: string, side: string, position: string): Promise<void> {
    const answer = await call('GET', `${path}&${side}=${encodeURIComponent(position)}`);
    expect([side, position, answer.status]).toEqual([side, position, 400]);
    expect(answer.body.errors).toEqual([
      { property: side, errorMessage: expect.stringContaining('link') },
    ]);
  }

  test.each(nonsense)('the position %j is 400 with the name of the parameter', async (position) => {
    for (const side of ['after', 'before']) await refuses('gates?limit=1', side, position);
  });

  test.each(withPositions)(
    'a list of %s with an invalid position is 400 with the name of the parameter',
    async (_, route) => {
      const { id = '', query = '?' } = await fixtures(route);
      const path = `${route.path.replace(/:(id|name)\b/, encodeURIComponent(id))}${query}`;
      await refuses(path, 'after', 'x');
      await refuses(path, 'before', encoded([1]));
    },
  );

  test('after together with before is 400', async () => {
    for (let count = 0; count < 2; count++) await makeGate();
    const { body } = await call('GET', 'gates?limit=1');
    const after = body.pagination.nextPage;
    const before = encodeURIComponent(encoded([Date.now(), 'gate']));
    const answer = await call('GET', `${after}&before=${before}`);
    expect([answer.status, answer.body.errors?.[0].property]).toEqual([400, 'before']);
  });

  test('a position of another order is 400 with the name of the parameter', async () => {
    for (let count = 0; count < 2; count++) await makeGate();
    const positionIn = async (order: string) => {
      const { body } = await call('GET', `gates?limit=1&${order}`);
      return new URL(body.pagination.nextPage, 'http://x').searchParams.get('after');
    };
    const [named, newest] = [await positionIn('sortKey=name'), await positionIn('')];
    for (const [query, side] of [
      [`after=${named}`, 'after'],
      [`before=${named}&sortKey=lastModifiedTime`, 'before'],
      [`after=${newest}&sortKey=name`, 'after'],
    ]) {
      const answer = await call('GET', `gates?${query}`);
      expect([answer.status, answer.body.errors?.[0].property]).toEqual([400, side]);
    }
    expect((await call('GET', `events?after=${newest}`)).status).toBe(400);
    expect((await call('GET', `audit_logs?before=${named}`)).status).toBe(400);
    for (const other of [named, newest])
      expect((await call('GET', `metrics/values?date=2026-01-01&after=${other}`)).status).toBe(400);
  });
});
