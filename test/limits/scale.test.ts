import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { gates } from '../../src/flags/gates/table.ts';
import { call, costOf, ok } from '../support/client.ts';
import { dump, emptyDatabase } from '../support/database.ts';
import { makeGate, makeKey } from '../support/factories.ts';
import { multiply } from '../support/seed.ts';
import { recordingDatabase } from '../support/watch.ts';

/** The gate with a number, whose fields vary so that filters distinguish them. */
const model = (index: number) => ({
  id: `model_${index}`,
  name: `Model ${index}`,
  description: index % 2 ? 'Odd words.' : 'Even words.',
  tags: ['all', ...(index % 2 ? ['half'] : []), ...(index === 3 ? ['some'] : [])],
  type: index % 3 ? 'PERMANENT' : 'TEMPORARY',
  idType: ['userID', 'companyID', 'stableID'][index % 3],
  teamID: index % 4 ? 't1' : 't2',
  targetApps: index % 5 ? [] : ['web'],
  isEnabled: index % 4 !== 1,
});

const models = 20;

/** Creates `count` gates and three rare ones, unless the database still has exactly these. */
async function fill(count: number): Promise<void> {
  const changes = await env.DB.prepare('select count(*) from revisions').first('count(*)');
  if (changes === count + 6) return;
  await emptyDatabase();
  for (let index = 0; index < models; index++) await makeGate(model(index));
  await multiply(gates, count / models - 1);
  for (const id of ['rare_one', 'rare_two', 'rare_three'])
    await makeGate({ id, name: `Zanzibar ${id}`, tags: ['all', 'rare'], teamID: 'rare' });
  for (const id of ['rare_one', 'model_1', 'model_2']) await ok('PUT', `gates/${id}/archive`);
}

/** Returns the revisions that the search index finds for some words. */
async function found(): Promise<Record<string, unknown[]>> {
  const words = ['gate', 'model', 'odd', 'half', 'web', '7'];
  const rows = await env.DB.batch(
    words.map((word) =>
      env.DB.prepare('select rowid from search where search match ? order by rowid').bind(word),
    ),
  );
  return Object.fromEntries(words.map((word, place) => [word, rows[place]?.results ?? []]));
}

/** Returns sorted rows without times and request IDs, so that databases can be compared. */
function comparable(tables: Record<string, unknown[]>): Record<string, string[]> {
  // Each database has its own ID.
  const { d1_migrations: _, deployment: _id, ...rest } = tables;
  const plain = Object.entries(rest).filter(([name]) => !/^search_/.test(name));
  const masked = (row: unknown) =>
    JSON.stringify(row)
      .replace(/\b[12]\d{12}\b/g, 'a time')
      .replace(/"requestID":"[^"]*"/, '"requestID":"of a request"');
  return Object.fromEntries(plain.map(([name, rows]) => [name, rows.map(masked).sort()]));
}

test('multiplied gates are stored like gates that the API creates', async () => {
  await emptyDatabase();
  for (let index = 0; index < models; index++) await makeGate(model(index));
  await multiply(gates, 2);
  const copied = { ...comparable(await dump()), ...(await found()) };
  await emptyDatabase();
  for (let index = 0; index < models; index++) await makeGate(model(index));
  for (const copy of [1, 2])
    for (let index = 0; index < models; index++) {
      const { id, name, ...rest } = model(index);
      await makeGate({ id: `${id}_${copy}`, name: `${name} ${copy}`, ...rest });
    }
  const created = { ...comparable(await dump()), ...(await found()) };
  expect(Object.keys(created)).toEqual(expect.arrayContaining(['gates', 'revisions', 'totals']));
  expect(copied).toEqual(created);
  expect([created.gates?.length, created.odd?.length, created.web?.length]).toEqual([60, 30, 0]);
});

/** Reads a page in one round trip, and returns its items and rows read. */
async function page(path: string) {
  const answer = await call('GET', path);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  const { trips, read, written } = costOf(answer);
  expect([trips, written]).toEqual([1, 0]);
  const { totalItems, nextPage } = answer.body.pagination ?? {};
  return { read, items: answer.data, totalItems, nextPage };
}

/** Checks the rows read by pages of 10 and of 100, and by the pages after them. */
async function readsLittle(path: string, expected: number, most: (limit: number) => number) {
  for (const limit of [10, 100]) {
    const first = await page(`${path}&limit=${limit}`);
    expect(first.totalItems).toBe(expected);
    expect(first.items).toHaveLength(Math.min(limit, expected));
    expect(first.nextPage === null).toBe(expected <= limit);
    const next = first.nextPage ? await page(first.nextPage) : first;
    expect(Math.max(first.read, next.read), `${limit}`).toBeLessThanOrEqual(most(limit));
  }
}

describe.each([100, 20_000])('with %i gates', (count) => {
  beforeAll(() => fill(count));

  test.each(['gates/model_7_1', 'gates/model_7_1/overrides', 'gates/model_7_1/versions/1'])(
    'GET /%s reads one row, and one more for overdue releases',
    async (path) => {
      expect((await page(path)).read).toBeLessThanOrEqual(2);
    },
  );

  const share = (part: number) => (part * count) / models;

  test.each([
    ['', count],
    ['includeArchived=true', count + 3],
    ['sortOrder=asc', count],
    ['sortKey=name', count],
    ['sortKey=name&sortOrder=desc', count],
    ['sortKey=lastModifiedTime', count],
    ['status=In+Progress', share(15) + 1],
    ['status=Disabled', share(5) - 1],
    ['status=Archived', 3],
    ['status=Launched', 0],
    ['isEnabled=false', share(5) - 1],
    ['isEnabled=false&includeArchived=true', share(5)],
    ['tags=all', count],
    ['tags=half', share(10) - 1],
    ['tags=some', share(1)],
    ['tags=rare', 2],
    ['tags=none', 0],
    ['tags=all&includeArchived=true', count + 3],
    ['targetAppID=web', share(4)],
    ['type=TEMPORARY', share(7)],
    ['idType=companyID', share(7) - 1],
    ['teamID=t1', share(15) - 2],
    ['teamID=rare', 2],
    ['creatorID=root', count],
    ['creatorName=CONSOLE+API', count],
    ['search=zanzibar', 2],
    ['search=zanz+rare_tw', 1],
  ])('gates?%s reads three rows for each gate of a page, and ten more', async (query, expected) => {
    await readsLittle(`gates?${query}`, expected, (limit) => 3 * limit + 10);
  });

  test.each([
    ['status=Disabled&status=In+Progress', count],
    ['status=Disabled&status=Archived', share(5) + 2],
    ['type=TEMPORARY&type=PERMANENT', count],
    ['isEnabled=true', share(15) + 1],
    ['isEnabled=true&includeArchived=true', share(15) + 3],
  ])('gates?%s reads as much for each of the two', async (query, expected) => {
    await readsLittle(`gates?${query}`, expected, (limit) => 2 * (3 * limit + 10));
  });

  test.each([
    ['', count + 6],
    ['kind=gate', count + 6],
    ['actionType=create', count + 3],
    ['actionType=archive', 3],
    ['updatedBy=root', count + 6],
    ['id=model_1', 2],
    ['kind=gate&id=model_1', 2],
    ['kind=gates', count + 6],
    ['action=create', count + 3],
    ['actorID=root', count + 6],
  ])(
    'audit_logs?%s reads two rows for each entry of a page, and ten more',
    async (query, expected) => {
      await readsLittle(`audit_logs?${query}`, expected, (limit) => 2 * limit + 10);
    },
  );

  const today = new Date().toISOString().slice(0, 10);

  test.each(['', 'kind=gate', 'actionType=create', 'updatedBy=root'])(
    'audit_logs?%s with dates reads a page and finds the days by binary search',
    async (query) => {
      const steps = Math.ceil(Math.log2(count)) + 1;
      const { totalItems } = await page(`audit_logs?${query}&limit=1`);
      for (const [days, expected, bounds] of [
        [`startDate=${today}`, totalItems, 1],
        ['endDate=2026-01-01', 0, 1],
        [`startDate=2026-01-01&endDate=2099-01-01`, totalItems, 2],
      ] as const)
        await readsLittle(
          `audit_logs?${query}&${days}`,
          expected,
          (limit) => 2 * limit + 10 + bounds * 6 * steps,
        );
    },
  );

  const five = 'status=In+Progress&type=PERMANENT&creatorID=root&creatorName=CONSOLE+API&teamID=t1';

  test.each([
    'tags=rare&status=In+Progress',
    'tags=half&status=In+Progress',
    'tags=half&type=TEMPORARY&idType=userID',
    'tags=all&teamID=rare',
    'tags=all&status=Archived',
    'tags=rare&tags=some&teamID=rare',
    'status=Archived&teamID=t1',
    'teamID=rare&type=PERMANENT&includeArchived=true',
    'creatorID=root&creatorName=CONSOLE+API',
    'tags=half&targetAppID=web',
    five,
    `${five}&sortKey=name`,
    `${five}&tags=some&idType=companyID`,
    `${five}&tags=half&targetAppID=web&idType=userID`,
    `${five}&tags=some&targetAppID=web&createdStartDate=2026-01-01&createdEndDate=2099-01-01`,
  ])('gates?%s reads by its most selective filter', async (query) => {
    const filters = query
      .split('&')
      .filter((each) => !/^(includeArchived|created|sort)/.test(each));
    const alone = await Promise.all(
      filters.map(async (filter) => (await page(`gates?${filter}&limit=1`)).totalItems),
    );
    const narrowest = Math.min(...alone);
    const labels = filters.filter((filter) => /^(tags|targetAppID)=/.test(filter)).length;
    for (const limit of [10, 100]) {
      const { read, nextPage } = await page(`gates?${query}&limit=${limit}`);
      const most = (4 + 2 * Math.max(0, labels - 1)) * narrowest + 3 * limit + 20;
      expect(read).toBeLessThanOrEqual(most);
      if (nextPage) expect((await page(nextPage)).read).toBeLessThanOrEqual(most);
    }
  });

  test('a list with a hundred tags and all other filters takes three statements of under 30 parameters', async () => {
    const tags = Array.from({ length: 99 }, (_, index) => `tags=tag+${index}`).join('&');
    const { DB, sent } = recordingDatabase(env.DB);
    const path = `gates?${five}&idType=userID&targetAppID=web&tags=some&${tags}&search=model`;
    const answer = await call('GET', path, { bindings: { DB } });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    expect(sent).toHaveLength(3); // the page, its total, and overdue releases
    for (const { sql, params } of sent) {
      const numbers = new Set(sql.match(/\?\d+/g));
      expect(numbers.size).toBe(params.length);
      expect(params.length).toBeLessThan(30); // one for each filter, not for each tag
    }
  });
});

// The large number first, because its gates are still stored.
describe.each([20_000, 100])('changes among %i gates', (count) => {
  beforeAll(() => fill(count));

  test('an export with history reads thousands of rows at a time, and each row at most six times', async () => {
    const { DB, sent } = recordingDatabase(env.DB);
    const { body } = await call('GET', 'export?history=true', { bindings: { DB } });
    expect(body).toContain(`"end":{"entities":${count + 3},`);
    const ofGates = sent.filter(({ sql }) => /from "(gates|revisions)" where .*"sized"/.test(sql));
    expect(ofGates.length).toBeLessThan(2 * (3 + count / 1000));
    const read = sent.reduce((sum, statement) => sum + statement.read, 0);
    expect(read).toBeGreaterThan(2 * count);
    expect(read).toBeLessThan(12 * count + 500);
  });

  test('audit_logs by actor name or request reads two rows for each entry of a page, and few more', async () => {
    // Copies have future times, and times in the log never decrease.
    const last = await env.DB.prepare('select max(time) from revisions').first<number>('max(time)');
    vi.useFakeTimers({ toFake: ['Date'], now: Number(last) + 1000 });
    const byRoot = 'audit_logs?actorName=CONSOLE+API&limit=1';
    const { totalItems: before } = (await call('GET', byRoot)).body.pagination;
    const { key, name } = await makeKey({ scopes: ['write'] });
    const changes = ['a', 'b', 'c'].map((id) => ({
      method: 'PATCH',
      path: `/console/v1/gates/model_9_${id === 'a' ? 1 : 2}`,
      body: { description: id },
    }));
    await call('POST', 'changes', { body: { changes }, key });
    vi.useRealTimers();
    const [{ requestID }] = await ok('GET', 'audit_logs?limit=1');
    for (const [query, expected] of [
      ['actorName=CONSOLE+API', before + 1],
      [`actorName=${encodeURIComponent(name)}`, 3],
      ['actorName=Nobody', 0],
      [`requestID=${requestID}`, 3],
      ['requestID=nonsense', 0],
      ['requestID=8a8b1c9e-7f0e-4a55-9d3c-0f6d5d7b8e11.3', 0],
    ] as const) {
      // The rows of a request are found by binary search for its time.
      const steps = query.startsWith('requestID') ? Math.ceil(Math.log2(count)) + 1 : 0;
      for (const limit of [10, 100]) {
        const answer = await call('GET', `audit_logs?${query}&limit=${limit}`);
        expect(answer.status, JSON.stringify(answer.body)).toBe(200);
        const { totalItems } = answer.body.pagination;
        expect([query, totalItems, answer.data.length]).toEqual([
          query,
          expected,
          Math.min(limit, expected),
        ]);
        expect(costOf(answer).read, query).toBeLessThanOrEqual(2 * limit + 10 + 8 * steps);
      }
    }
  });

  type Change = [what: string, most: [read: number, written: number], request: Request];
  type Request = [method: string, path: string, body?: object];
  const gate = 'gates/model_12_2';
  const named = { name: 'No more than a name' };
  const changes: Change[] = [
    ['a new description', [10, 14], ['PATCH', gate, { description: 'New.' }]],
    ['one tag more', [10, 14], ['PATCH', gate, { tags: ['all', 'some'] }]],
    ['one tag less', [10, 14], ['PATCH', gate, { tags: ['all'] }]],
    ['one tag for another', [10, 14], ['PATCH', gate, { tags: ['some'] }]],
    ['disabling', [10, 14], ['PUT', `${gate}/disable`]],
    ['enabling', [10, 14], ['PUT', `${gate}/enable`]],
    ['a gate with a name', [7, 18], ['POST', 'gates', named]],
    ['archiving it', [9, 13], ['PUT', 'gates/no_more_than_a_name/archive']],
    ['a gate with two tags', [7, 22], ['POST', 'gates', { name: 'Two', tags: ['all', 'some'] }]],
  ];

  test('a change of one gate reads at most 10 rows and writes at most 22', async () => {
    for (const [what, [mostRead, mostWritten], [method, path, body]] of changes) {
      const answer = await call(method, path, { body });
      expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
      const { trips, read, written } = costOf(answer);
      expect(trips, what).toBe(2);
      expect(read, `rows read by ${what}`).toBeLessThanOrEqual(mostRead);
      expect(written, `rows written by ${what}`).toBeLessThanOrEqual(mostWritten);
    }
  });

  test('registering three tags of gates in one request reads at most 120 rows', async () => {
    const changes = ['half', 'some', 'rare'].map((name) => ({
      ...{ method: 'PATCH', path: `/console/v1/tags/${name}`, body: { isCore: true } },
    }));
    const answer = await call('POST', 'changes?dryRun=true', { body: { changes } });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    expect(costOf(answer).read).toBeLessThanOrEqual(120);
  });
});

test('a page by its link reads at most 40 rows, even if all gates share a creation time', async () => {
  await emptyDatabase();
  for (let index = 0; index < models; index++) await makeGate(model(index));
  await multiply(gates, 99, 0);
  for (const query of [
    '',
    'sortOrder=asc',
    'sortKey=lastModifiedTime',
    'tags=all',
    'type=PERMANENT',
  ]) {
    let next = `gates?limit=10&${query}`;
    for (let page = 0; page < 12; page++) {
      const answer = await call('GET', next);
      expect(costOf(answer).read, next).toBeLessThanOrEqual(40);
      next = answer.body.pagination.nextPage;
    }
  }
});
