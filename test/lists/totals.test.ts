import { env } from 'cloudflare:workers';
import { getTableColumns, getTableName } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { experiments } from '../../src/experiments/experiments/table.ts';
import { dynamicConfigs } from '../../src/flags/dynamic_configs/table.ts';
import { gates } from '../../src/flags/gates/table.ts';
import { prompts } from '../../src/flags/prompts/table.ts';
import { segments } from '../../src/flags/segments/table.ts';
import type { EntityTable } from '../../src/platform/store/sql/columns.ts';
import { base, call, ok, routes } from '../support/client.ts';
import { emptyDatabase } from '../support/database.ts';
import {
  makeDynamicConfig,
  makeGate,
  makeHoldout,
  makeLayer,
  makePipeline,
} from '../support/factories.ts';
import { randomOf } from '../support/random.ts';
import { shapeOf } from '../support/shapes.ts';

const { below, pick, some } = randomOf(20_260_101);

/** Values that are easily confused. */
const words = [
  'a',
  'A',
  'ä',
  'a,b',
  '',
  '1',
  'true',
  'null',
  'a"b',
  "o'c",
  ' ',
  '%',
  'x'.repeat(200),
];
const word = () => pick(['a', ...words]);
const tags = () => some(['one', 'two', 'three', 'Three', '1', 'a,b', 'ü', 'a"b', ' one ', 'one']);

/** Random values and status changes of a resource type. */
interface Sort {
  path: string;
  kind: {
    kind: string;
    table: EntityTable;
    list: {
      totals: readonly (readonly string[])[];
      hidden?: { column: string; value: string; onlyHidden: string };
    };
  };
  labels: string[];
  given: () => Record<string, unknown>;
  fixed?: () => Record<string, unknown>;
  moves: string[];
  /** Whether archived entities can still be changed. */
  changesArchived?: boolean;
}

const sorts: Sort[] = [
  {
    path: 'gates',
    kind: gates,
    labels: ['tags', 'targetApps'],
    given: () => ({
      tags: tags(),
      targetApps: tags(),
      type: pick(['PERMANENT', 'TEMPORARY']),
      idType: pick(['userID', 'companyID', 'a,b']),
      team: pick([null, word()]),
      teamID: pick([null, word()]),
      releasePipelineID: pick([null, 'pipeline_1', 'pipeline_2']),
      creatorID: word(),
    }),
    moves: ['enable', 'disable', 'launch'],
    changesArchived: true,
  },
  {
    path: 'dynamic_configs',
    kind: dynamicConfigs,
    labels: ['tags', 'targetApps'],
    given: () => ({
      tags: tags(),
      targetApps: tags(),
      teamID: pick([null, word()]),
      releasePipelineID: pick([null, 'pipeline_1', 'pipeline_2']),
    }),
    moves: ['enable', 'disable'],
    changesArchived: true,
  },
  {
    path: 'experiments',
    kind: experiments,
    labels: ['tags', 'targetApps'],
    given: () => ({
      tags: tags(),
      targetApps: tags(),
      experimentType: pick(['BASE', 'GEO']),
      layerID: pick([null, 'layer_1', 'layer_2']),
      allocation: 1,
      idType: pick(['userID', 'companyID']),
      team: pick([null, word()]),
      teamID: pick([null, word()]),
      creatorID: word(),
    }),
    moves: [],
  },
  {
    path: 'segments',
    kind: segments,
    labels: ['tags', 'targetApps'],
    given: () => ({
      tags: tags(),
      targetApps: tags(),
      team: pick([null, word()]),
      teamID: pick([null, word()]),
    }),
    fixed: () => ({ type: pick(['rule_based', 'id_list']) }),
    moves: [],
  },
  {
    path: 'prompts',
    kind: prompts,
    labels: ['tags', 'targetApps'],
    given: () => ({ tags: tags(), targetApps: tags(), teamID: word() }),
    moves: [],
  },
];

type State = 'there' | 'archived' | 'gone';

interface Change {
  method: string;
  path: string;
  body?: object;
}

/** The states of thirty entities, and those with a version that can be restored. */
interface Known {
  states: Map<string, State>;
  stored: Set<string>;
}

/** Returns a random change that the state of an entity allows, or undefined if there is none. */
function changeOf({ path, given, fixed, moves, changesArchived }: Sort, { states, stored }: Known) {
  const id = `${path}_${below(30)}`;
  const at = `${base}/${path}/${id}`;
  const state = states.get(id) ?? 'gone';
  const isArchived = state === 'archived';
  const put = (move: string): Change => ({ method: 'PUT', path: `${at}/${move}` });
  const all = { ...given(), ...fixed?.() };
  const patch = Object.fromEntries(Object.entries(given()).filter(() => below(2) === 0));
  // Null clears a field in an update; a creation omits it.
  const set = Object.entries(all).filter(([, value]) => value !== null);
  const named = { ...Object.fromEntries(set), id, name: `Entity ${id}` };
  const archivable = ['gates', 'dynamic_configs', 'experiments'].includes(path);
  const change: Change = { method: 'PATCH', path: at, body: { name: 'Renamed', ...patch } };
  const choices: [allowed: boolean, next: State, change: Change][] = [
    [state === 'gone', 'there', { method: 'POST', path: `${base}/${path}`, body: named }],
    [stored.has(id), 'there', put('versions/1/restore')],
    [state !== 'gone', 'gone', { method: 'DELETE', path: at }],
    [archivable && state === 'there', 'archived', put('archive')],
    [archivable && isArchived, 'there', put('unarchive')],
    ...moves.map((move): [boolean, State, Change] => [state === 'there', 'there', put(move)]),
    ...[1, 2, 3].map((): [boolean, State, Change] => [state === 'there', state, change]),
    [isArchived && changesArchived === true, state, change],
  ];
  const allowed = choices.filter(([isAllowed]) => isAllowed);
  const [, next, chosen] = allowed[below(allowed.length)] ?? [false, state, change];
  states.set(id, next);
  return chosen;
}

/** Sends batches of fifty changes, one after the other. */
async function change(sort: Sort, batches: number): Promise<void> {
  const states = new Map<string, State>();
  for (let batch = 0; batch < batches; batch++) {
    const stored = new Set(states.keys());
    const changes = Array.from({ length: 50 }, () => changeOf(sort, { states, stored }));
    if (batch % 4 === 0) await ok('POST', 'changes?dryRun=true', { changes });
    await ok('POST', 'changes', { changes });
  }
}

type Counted = { a: string; b: string; c: string; count: number; hidden: number };

/** The SQL of a property: its column, or its member of the settings. */
const columnOf = (table: EntityTable, property: string) =>
  property in getTableColumns(table) ? `"${property}"` : `settings->>'${property}'`;

/** Counts the entities for each combination of some properties. */
async function counted(
  {
    kind: {
      table,
      list: { totals, hidden },
    },
  }: Sort,
  group: readonly string[],
) {
  const name = getTableName(table);
  const columns = group.map((property) => columnOf(table, property));
  const asText = (column: string | undefined) =>
    column ? `coalesce(cast(${column} as text), '')` : "''";
  const [a, b, c] = [0, 1, 2].map((place) => asText(columns[place]));
  const isFirst = group.length === 0 || group === totals[0];
  const { results } = await env.DB.prepare(
    `select ${a} as a, ${b} as b, ${c} as c, count(*) as count,
       ${hidden ? `sum("${hidden.column}" = '${hidden.value}')` : '0'} as hidden from "${name}"
     where ${isFirst ? 'true' : `${columns[0]} is not null`} group by 1, 2, 3 order by 1, 2, 3`,
  ).all<Counted>();
  return results;
}

/** Counts the entities for each value of a label. */
async function countedLabels(
  {
    kind: {
      table,
      list: { hidden },
    },
  }: Sort,
  label: string,
) {
  const { results } = await env.DB.prepare(
    `select value as a, '' as b, '' as c, count(*) as count,
       ${hidden ? `sum(hidden)` : '0'} as hidden
     from (select distinct entity.id, value, ${hidden ? `"${hidden.column}" = '${hidden.value}'` : '0'} as hidden
       from "${getTableName(table)}" as entity, json_each("${label}")) group by 1 order by 1`,
  ).all<Counted>();
  return results;
}

async function kept({ kind: { kind } }: Sort, facet: string): Promise<Counted[]> {
  const { results } = await env.DB.prepare(
    `select a, b, c, count, hidden from totals where kind = ? and facet = ?
     and (count <> 0 or hidden <> 0) order by a, b, c`,
  )
    .bind(kind, facet)
    .all<Counted>();
  return results;
}

describe('after 2,000 random changes', () => {
  beforeAll(async () => {
    await emptyDatabase();
    for (const place of [1, 2]) {
      await makePipeline({ id: `pipeline_${place}` });
      await makeLayer({ id: `layer_${place}` });
    }
    await Promise.all(sorts.map((sort) => change(sort, 8)));
  });

  const groups = sorts.flatMap((sort) =>
    sort.kind.list.totals.map((group): [string, string, Sort, readonly string[]] => [
      sort.path,
      group.join(' and '),
      sort,
      group,
    ]),
  );

  test.each(groups)('the totals of %s by %s equal a count', async (_, _of, sort, group) => {
    const fresh = await counted(sort, group);
    expect(fresh.length).toBeGreaterThan(0);
    expect(await kept(sort, group.join())).toEqual(fresh);
  });

  const labels = sorts.flatMap((sort) =>
    sort.labels.map((label): [string, string, Sort] => [sort.path, label, sort]),
  );

  test.each(labels)('the totals of %s by %s equal a count', async (_, label, sort) => {
    const fresh = await countedLabels(sort, label);
    expect(fresh.length).toBeGreaterThan(3);
    expect(await kept(sort, label)).toEqual(fresh);
  });

  test.each(sorts.map((sort): [string, Sort] => [sort.path, sort]))(
    'no other total of %s is stored',
    async (_, { kind, labels: own }) => {
      const { results } = await env.DB.prepare('select distinct facet from totals where kind = ?')
        .bind(kind.kind)
        .all<{ facet: string }>();
      const facets = results.map(({ facet }) => facet);
      expect(facets.sort()).toEqual(
        [...kind.list.totals.map((group) => group.join()), ...own].sort(),
      );
    },
  );

  /** The name of the filter of a property. */
  const parameter = (property: string) => (property === 'targetApps' ? 'targetAppID' : property);

  const parametersOf = (path: string) => {
    const list = routes.find((route) => route.method === 'GET' && route.path === `${base}/${path}`);
    const query = list?.parts.find(({ target }) => target === 'query')?.schema;
    return Object.keys(shapeOf(query));
  };

  /** Counts the entities for each value of each filter. */
  async function everyValue(sort: Sort) {
    const known = parametersOf(sort.path);
    const properties = [...sort.kind.list.totals.flat(), ...sort.labels].filter(
      (property) =>
        known.includes(parameter(property)) && property !== sort.kind.list.hidden?.onlyHidden,
    );
    const each = properties.map(async (property) => {
      const isLabel = sort.labels.includes(property);
      const fresh = await (isLabel ? countedLabels(sort, property) : counted(sort, [property]));
      const showsHidden = property === sort.kind.list.hidden?.column;
      return fresh.map(({ a, count, hidden }) => ({
        // Brackets keep a value with commas whole.
        query: `${new URLSearchParams({ [property === 'tags' ? 'tags[]' : parameter(property)]: a })}`,
        count,
        visible: showsHidden ? count : count - hidden,
      }));
    });
    return (await Promise.all(each)).flat();
  }

  test.each(sorts.map((sort): [string, Sort] => [sort.path, sort]))(
    'the lists of %s have these totals for every value of every filter',
    async (path, sort) => {
      const totalItems = async (query: string) =>
        (await call('GET', `${path}?limit=1&${query}`)).body.pagination.totalItems;
      for (const { query, count, visible } of await everyValue(sort)) {
        expect([query, await totalItems(query)]).toEqual([query, visible]);
        const all = `${query}&includeArchived=true`;
        if (sort.kind.list.hidden) expect([all, await totalItems(all)]).toEqual([all, count]);
      }
      const [whole] = await counted(sort, []);
      expect(await totalItems('')).toBe((whole?.count ?? 0) - (whole?.hidden ?? 0));
      expect(await ok('GET', `${path}?limit=1000`)).toHaveLength(await totalItems(''));
    },
  );
});

describe.each([
  ['gates', makeGate],
  ['dynamic_configs', makeDynamicConfig],
])('what of the %s is on, and what is off', (path, make) => {
  test('an entity is counted whether archived or not', async () => {
    await emptyDatabase();
    for (const isEnabled of [true, true, true, false, false]) await make({ isEnabled });
    for (const { id } of [await make(), await make({ isEnabled: false })])
      await ok('PUT', `${path}/${id}/archive`);
    for (const [query, count] of [
      ['isEnabled=true', 3],
      ['isEnabled=false', 2],
      ['isEnabled=true&includeArchived=true', 4],
      ['isEnabled=false&includeArchived=true', 3],
      ['isEnabled=true&status=Archived', 1],
      ['isEnabled=true&includeArchived=true&creatorID=root', 4],
    ]) {
      const { body, data } = await call('GET', `${path}?${query}`);
      expect([query, body.pagination.totalItems, data.length]).toEqual([query, count, count]);
    }
  });
});

test('a boolean is counted like its filter', async () => {
  await emptyDatabase();
  for (const isGlobal of [true, false, false]) await makeHoldout({ isGlobal });
  for (const [isGlobal, count] of [
    [true, 1],
    [false, 2],
  ]) {
    const { body, data } = await call('GET', `holdouts?isGlobal=${isGlobal}`);
    expect([body.pagination.totalItems, data.length]).toEqual([count, count]);
  }
});
