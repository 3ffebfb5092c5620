import { env } from 'cloudflare:workers';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Route } from '../../src/platform/openapi/routes.ts';
import { call, each, ok } from '../support/client.ts';
import { emptyDatabase } from '../support/database.ts';
import { fixtures, makeExperiment, makeGate } from '../support/factories.ts';
import { allowMoreTrips } from '../support/responses.ts';
import { shapeOf } from '../support/shapes.ts';

type Row = Record<string, unknown>;

const lists = each(
  ({ method, parts }) =>
    method === 'GET' && parts.some(({ schema }) => 'sortKey' in shapeOf(schema)),
);

/** The table of a list, named like the end of its path; `/metrics/list` is an alias of `/metrics`. */
const tableOf = ({ path }: Route) =>
  path
    .replace(/\/list$/, '')
    .split('/')
    .at(-1) ?? '';

/** The identifying value of a row. */
const nameOf = (row: Row) => row.id ?? row.source_name ?? row.name;

afterEach(() => {
  vi.useRealTimers();
});

describe('the order of each list', () => {
  beforeAll(emptyDatabase);

  const orders: [query: string, order: string][] = [
    ['', 'createdTime desc, id'],
    ['sortOrder=desc', 'createdTime desc, id'],
    ['sortOrder=asc', 'createdTime, id desc'],
    ['sortKey=createdTime', 'createdTime desc, id'],
    ['sortKey=lastModifiedTime', 'lastModifiedTime desc, id'],
    ['sortKey=lastModifiedTime&sortOrder=asc', 'lastModifiedTime, id desc'],
    ['sortKey=name', 'sortName, id'],
    ['sortKey=name&sortOrder=desc', 'sortName desc, id desc'],
  ];

  test.each(lists)(
    '%s is sorted by creation time and ID, or by sortKey and sortOrder',
    async (_, route) => {
      vi.useFakeTimers({ toFake: ['Date'] });
      for (const day of [1, 2]) {
        vi.setSystemTime(Date.UTC(2026, 0, day));
        const { populate } = await fixtures(route);
        for (let count = 0; count < 3; count++) await populate?.();
      }
      const table = tableOf(route);
      if (table === 'release_pipeline_triggers')
        allowMoreTrips('the first list stores the phases of the day before that are overdue');
      const hasName =
        (await env.DB.prepare(`select * from "${table}"`).first<Row>())?.name !== undefined;
      for (const [query, order] of orders.filter(
        ([, by]) => hasName || !by.startsWith('sortName'),
      )) {
        const { results } = await env.DB.prepare(
          `select * from "${table}" order by ${order}`,
        ).all<Row>();
        const listed: Row[] = await ok('GET', `${route.path}?${query}`);
        const known = Object.keys(listed[0] ?? {});
        const comparable = (row: Row) =>
          nameOf(
            Object.fromEntries(Object.entries(row).filter(([column]) => known.includes(column))),
          );
        expect(listed.length).toBeGreaterThan(5);
        expect(listed.map(nameOf), query).toEqual(results.map(comparable));
      }
    },
  );
});

test('gates sorted by name ignore case, and equal names are sorted by ID', async () => {
  await emptyDatabase();
  const names = { b1: 'beta', b3: 'Beta', b2: 'BETA', a1: 'alpha', c1: 'GAMMA', d1: 'delta' };
  for (const [id, name] of Object.entries(names)) await makeGate({ id: `${id}_gate`, name });
  const ids = async (query: string) =>
    (await ok('GET', `gates?sortKey=name&${query}`)).map(({ id }: { id: string }) =>
      id.slice(0, 2),
    );
  const rising = ['a1', 'b1', 'b2', 'b3', 'd1', 'c1'];
  expect(await ids('')).toEqual(rising);
  expect(await ids('sortOrder=asc')).toEqual(rising);
  expect(await ids('sortOrder=desc')).toEqual(rising.toReversed());
});

test('lists sort names as people do, on every page', async () => {
  await emptyDatabase();
  const names = [
    'Zebra',
    'Éclair',
    'eclair b',
    'Eclair a',
    'Ångström',
    'anchor',
    'Łódź',
    'lodging',
    'Lodz b',
    'Straße',
    'strasse b',
    'Œuvre',
    'O\u0308l a',
    'Öl b',
    'Йод',
    'иод б',
    'かかあ',
    'がああ',
    'きああ',
    '한국어',
    '10 % off',
    'Ｆｕｌｌ',
  ];
  for (const [index, name] of names.entries())
    await makeGate({ id: `name_${String(index).padStart(2, '0')}`, name });
  const ordered = [
    '10 % off',
    'anchor',
    'Ångström',
    'Éclair',
    'Eclair a',
    'eclair b',
    'Ｆｕｌｌ',
    'lodging',
    'Łódź',
    'Lodz b',
    'Œuvre',
    'O\u0308l a',
    'Öl b',
    'Straße',
    'strasse b',
    'Zebra',
    'Йод',
    'иод б',
    'かかあ',
    'がああ',
    'きああ',
    '한국어',
  ];
  for (const [sortOrder, wanted] of [
    ['asc', ordered],
    ['desc', ordered.toReversed()],
  ] as const) {
    const walked: string[] = [];
    let next = `gates?sortKey=name&sortOrder=${sortOrder}&limit=3`;
    while (next) {
      const { data, body } = await call('GET', next);
      for (const gate of data) {
        expect(gate).not.toHaveProperty('sortName');
        walked.push(gate.name);
      }
      next = body.pagination.nextPage?.replace(/^.*\/console\/v1\//, '') ?? '';
    }
    expect(walked).toEqual(wanted);
  }
  await ok('PATCH', 'gates/name_00', { name: 'ÀLBUM' });
  const [first, second] = await ok('GET', 'gates?sortKey=name');
  expect([first.name, second.name]).toEqual(['10 % off', 'ÀLBUM']);
});

test('a changed experiment is first by lastModifiedTime, and keeps its place by createdTime', async () => {
  await emptyDatabase();
  vi.useFakeTimers({ toFake: ['Date'] });
  for (const [day, id] of ['first', 'second', 'third'].entries()) {
    vi.setSystemTime(Date.UTC(2026, 0, day + 1));
    await makeExperiment({ id });
  }
  vi.setSystemTime(Date.UTC(2026, 1, 1));
  await ok('PATCH', 'experiments/second', { description: 'New.' });
  const ids = async (query: string) =>
    (await ok('GET', `experiments?${query}`)).map(({ id }: { id: string }) => id);
  expect(await ids('')).toEqual(['third', 'second', 'first']);
  expect(await ids('sortKey=lastModifiedTime')).toEqual(['second', 'third', 'first']);
  expect(await ids('sortKey=lastModifiedTime&sortOrder=asc')).toEqual(['first', 'third', 'second']);
});
