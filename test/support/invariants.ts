import { env } from 'cloudflare:workers';
import { getTableColumns, getTableName, sql } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { expect } from 'vitest';
import { folded } from '../../src/base/folded.ts';
import { memberOf } from '../../src/base/value_types.ts';
import { kindsOf } from '../../src/platform/resource/resource.ts';
import { reads } from '../../src/platform/store/changes/staged_reads.ts';
import { isHidden } from '../../src/platform/store/core/define_kind.ts';
import type { Entity } from '../../src/platform/store/core/entity.ts';
import type { Kind } from '../../src/platform/store/core/kind.ts';
import { mentionsIn } from '../../src/platform/store/core/mentions.ts';
import { anchorsOf, labelsOf, refsOf } from '../../src/platform/store/derived/derived_rows.ts';
import { searchRowOf } from '../../src/platform/store/derived/search_rows.ts';
import { fromRow } from '../../src/platform/store/entities/mapping.ts';
import { openDatabase } from '../../src/platform/store/sql/database.ts';
import { registry } from '../../src/registry.ts';

interface Stored {
  kind: Kind<Entity>;
  entities: Entity[];
}

/** Loads all entities of a kind. */
async function load(kind: Kind<Entity>): Promise<Stored> {
  const all = { name: 'all', where: sql`true`, values: {} };
  const database = openDatabase(env.DB, 'first-primary');
  return { kind, entities: await reads(database, Date.now()).findAll(kind, all, () => true) };
}

const rowsOf = async (statement: string) =>
  (await env.DB.prepare(statement).all<Record<string, string | number>>()).results;

const sorted = (rows: object[]) =>
  [...new Set(rows.map((row) => JSON.stringify(Object.entries(row).toSorted())))].toSorted();

/** Checks that the stored derived rows equal the rows computed from entities. */
async function checkDerived(all: Stored[]): Promise<void> {
  const tables = { anchors: anchorsOf, refs: refsOf, labels: labelsOf };
  for (const [table, { of }] of Object.entries(tables)) {
    const derived = all.flatMap(({ kind, entities }) =>
      entities.flatMap((entity) => {
        const rows: object[] = of(kind, entity);
        return rows.map((row) => ('hidden' in row ? { ...row, hidden: Number(row.hidden) } : row));
      }),
    );
    expect(sorted(await rowsOf(`select * from ${table}`)), table).toEqual(sorted(derived));
  }
}

/** Returns the totals that include an entity: by groups of properties, labels and environments. */
function totalsOf(kind: Kind<Entity>, entity: Entity): string[][] {
  const values = new Map<string, unknown>(Object.entries(entity));
  const groups = kind.list.totals
    .filter(([first = ''], index) => index === 0 || values.get(first) != null)
    .map((group) => [group.join(), ...group.map((property) => String(values.get(property) ?? ''))]);
  const labels = labelsOf.of(kind, entity).map(({ label, value }) => [label, value]);
  const environments = mentionsIn(kind, entity)
    .filter((named) => named.kind === 'environment')
    .map(({ id }) => ['environment', id]);
  return [...groups, ...labels, ...environments];
}

/** The number of metric values by day and type: counted, and stored. */
const countedValues = `select date || ' ' || metricType as key, count(*) as count from metric_values
  group by date, metricType order by key`;
const storedValues = `select key, value as count from metric_value_counts, json_each(counts)
  where value <> 0 order by key`;

/** Checks that the stored totals equal counted ones. */
async function checkTotals(all: Stored[]): Promise<void> {
  const fresh = new Map<string, { count: number; hidden: number }>();
  for (const { kind, entities } of all)
    for (const entity of entities)
      for (const [facet = '', a = '', b = '', c = ''] of totalsOf(kind, entity)) {
        const key = JSON.stringify([kind.kind, facet, a, b, c]);
        const { count, hidden } = fresh.get(key) ?? { count: 0, hidden: 0 };
        fresh.set(key, { count: count + 1, hidden: hidden + Number(isHidden(kind, entity)) });
      }
  for (const { name, count } of await rowsOf(
    'select name, count(*) as count from events group by name',
  ))
    fresh.set(JSON.stringify(['events', 'name', name, '', '']), {
      count: Number(count),
      hidden: 0,
    });
  expect(await rowsOf(storedValues), 'counts of values').toEqual(await rowsOf(countedValues));
  const kept = await rowsOf('select * from totals where count <> 0 or hidden <> 0');
  const stored = kept.map(({ kind, facet, a, b, c, count, hidden }): [string, object] => [
    JSON.stringify([kind, facet, a, b, c]),
    { count, hidden },
  ]);
  expect(Object.fromEntries(stored), 'totals').toEqual(Object.fromEntries(fresh));
}

/** Checks that the newest snapshot of each entity equals its row, and that deleted entities have no row. */
async function checkNewest(all: Stored[]): Promise<void> {
  const newest = await env.DB.prepare(
    `select kind, snapshot from revisions r where snapshot->>'version' = version and version =
       (select max(version) from revisions where kind = r.kind and id = r.id)`,
  ).all<{ kind: string; snapshot: string }>();
  for (const { kind, entities } of all) {
    const own = newest.results.filter((row) => row.kind === kind.kind);
    const states = own.map(({ snapshot }) => fromRow(kind, JSON.parse(snapshot)));
    const byID = (list: Entity[]) => Object.fromEntries(list.map((entity) => [entity.id, entity]));
    expect(byID(entities), `newest snapshots of ${kind.kind}`).toEqual(byID(states));
  }
}

/** Checks that the sort keys are the folded names. */
async function checkSortNames(all: Stored[]): Promise<void> {
  for (const { kind, entities } of all) {
    const { sortName, id } = getTableColumns<SQLiteTable>(kind.table);
    if (!sortName || !id) continue;
    const kept = await rowsOf(`select id, sortName from ${getTableName(kind.table)}`);
    const made = entities.map((entity): [unknown, unknown] => [
      entity.id,
      folded(String(memberOf(entity, 'name'))),
    ]);
    // Compared without their order: SQLite sorts by UTF-8, JavaScript by UTF-16.
    const names = new Map(kept.map((row) => [row.id, row.sortName]));
    expect(names, kind.kind).toEqual(new Map(made));
  }
}

/** Reads all indexed words with their positions. */
const wordsOf = (table: string) =>
  `select doc, col, "offset", term from ${table}_words order by doc, col, "offset", term`;

/** Checks that the search index has exactly the words of each entity, under the seq of its first revision. */
async function checkSearch(all: Stored[]): Promise<void> {
  const rows = all.flatMap(({ kind, entities }) =>
    entities.map((entity) => searchRowOf(kind, entity)),
  );
  const [made, found] = await env.DB.batch([
    env.DB.prepare('create virtual table search_words using fts5vocab(search, instance)'),
    env.DB.prepare(`create virtual table expected using fts5(kind, id, name, description, tags,
      content = '', tokenize = 'unicode61 remove_diacritics 2')`),
    env.DB.prepare('create virtual table expected_words using fts5vocab(expected, instance)'),
    env.DB.prepare(`insert into expected (rowid, kind, id, name, description, tags)
      select (select seq from revisions where kind = value->>'kind' and id = value->>'entityID' order by version limit 1),
        value->>'kind', value->>'id', value->>'name', value->>'description', value->>'tags' from json_each(?)`).bind(
      JSON.stringify(rows),
    ),
    env.DB.prepare(wordsOf('expected')),
    env.DB.prepare(wordsOf('search')),
    ...['expected_words', 'expected', 'search_words'].map((table) =>
      env.DB.prepare(`drop table ${table}`),
    ),
  ]).then((results) => results.slice(4, 6).map(({ results }) => results));
  expect(found, 'search').toEqual(made);
}

/** Members of a holdout: the table, the kind, and the property of the holdout. */
const members = [
  ['gates', 'gate', 'gateIDs'],
  ['experiments', 'experiment', 'experimentIDs'],
  ['layers', 'layer', 'layerIDs'],
  ['dynamic_configs', 'dynamic_config', 'dynamicConfigIDs'],
  ['prompts', 'prompt', 'promptIDs'],
];

const dependencies = `select fromKind || ':' || fromID as dependent, toKind || ':' || toID as dependency from refs
    where field in ('rules', 'targetingGateID', 'inlineTargetingRulesJSON', 'overrides')
  union select 'gate:' || value, 'holdout:' || holdouts.id from holdouts, json_each(gateIDs)
  union select 'experiment:' || value, 'holdout:' || holdouts.id from holdouts, json_each(experimentIDs)
  union select 'experiment:' || e.id, 'holdout:' || h.id from holdouts h, json_each(h.layerIDs) m
    join experiments e on e.layerID = m.value
  union select 'experiment:' || e.id, (o.value->>'type') || ':' || (o.value->>'name')
    from layers l, json_each(l.overrides, '$.conditionalOverrides') o
    join experiments e on e.layerID = l.id and e.id = o.value->>'experimentName'`;

const dense = (number: string, of: string) =>
  `select ${of}, max(${number}) as highest, count(*) as count from revisions group by ${of}
   having max(${number}) <> count(*) or count(distinct ${number}) <> count(*)`;

/** Rules, each with the query of the rows that break it. */
const rules: [name: string, violations: string][] = [
  [
    'versions have no gaps',
    `select kind, id from revisions group by kind, id
     having min(version) <> 1 or max(version) <> count(*)`,
  ],
  ['seq is dense', 'select max(seq) from revisions having max(seq) <> count(*)'],
  ['nthOfKind is dense', dense('nthOfKind', 'kind')],
  ['nthOfAction is dense', dense('nthOfAction', 'action')],
  ['nthOfActor is dense', dense('nthOfActor', 'actorID')],
  [
    'times never decrease',
    'select a.seq from revisions a join revisions b on b.seq = a.seq + 1 where b.time < a.time',
  ],
  ...members.flatMap(([table, kind, list]): [string, string][] => [
    [
      `each ${kind} lists once the holdouts that contain it`,
      `select m.id, h.value from ${table} m, json_each(m.holdoutIDs) h where not exists
         (select 1 from holdouts, json_each(${list}) l where holdouts.id = h.value and l.value = m.id)
       union all select m.id, h.value from ${table} m, json_each(m.holdoutIDs) h
         group by m.id, h.value having count(*) > 1`,
    ],
    [
      `each holdout is listed once by its ${list}`,
      `select h.id, l.value from holdouts h, json_each(h.${list}) l where not exists
         (select 1 from ${table} m, json_each(m.holdoutIDs) i where m.id = l.value and i.value = h.id)
       union all select h.id, l.value from holdouts h, json_each(h.${list}) l
         group by h.id, l.value having count(*) > 1`,
    ],
  ]),
  [
    'the allocation of a layer is at most 100%',
    `select layerID, sum(allocation) from experiments where status = 'active' and layerID is not null
     group by layerID having sum(allocation) > 100.000001`,
  ],
  [
    'a gate or config has at most one unfinished release',
    `select gateID, dynamicConfigID from release_pipeline_triggers
     where status in ('IN_PROGRESS', 'PAUSED', 'WAITING_FOR_REVIEW')
     group by gateID, dynamicConfigID having count(*) > 1`,
  ],
  [
    'each unfinished release has its gate or config',
    `select t.id from release_pipeline_triggers t where status in ('IN_PROGRESS', 'PAUSED', 'WAITING_FOR_REVIEW')
     and not exists (select 1 from gates where id = t.gateID)
     and not exists (select 1 from dynamic_configs where id = t.dynamicConfigID)`,
  ],
  [
    'evaluation has no cycles',
    `with recursive direct as (${dependencies}), reach (dependent, dependency) as (
       select dependent, dependency from direct
       union select reach.dependent, direct.dependency from reach join direct on direct.dependent = reach.dependency)
     select dependent from reach where dependent = dependency`,
  ],
  ['the guard is empty', 'select reason from guard'],
];

/** Checks the rules that any sequence of changes must keep. */
export async function checkInvariants(): Promise<void> {
  const results = await env.DB.batch(rules.map(([, statement]) => env.DB.prepare(statement)));
  for (const [index, [name]] of rules.entries()) expect(results[index]?.results, name).toEqual([]);
  const all = await Promise.all(kindsOf(registry).map(load));
  await checkDerived(all);
  await checkTotals(all);
  await checkNewest(all);
  await checkSortNames(all);
  await checkSearch(all);
}
