import { applyD1Migrations, reset } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { dump, emptyDatabase } from '../support/database.ts';
import { fill } from '../support/fill.ts';

/** The rows of every table but those that count migrations, and the one that a later migration drops. */
async function rows() {
  const all = Object.entries(await dump());
  return Object.fromEntries(all.filter(([name]) => !/^(d1_|sqlite_|deliveries$)/.test(name)));
}

/** One more migration, so that the newest version is upgraded as well. */
const next = { name: '9999_next.sql', queries: ['create table next (id text primary key) strict'] };

beforeEach(reset);

afterAll(emptyDatabase);

describe('the migrations', () => {
  test('make an empty database that a second run leaves as it is', async () => {
    await emptyDatabase();
    const before = await dump();
    expect(Object.keys(before).length).toBeGreaterThan(15);
    await applyD1Migrations(env.DB, env.MIGRATIONS);
    expect(await dump()).toEqual(before);
  });

  test.each(env.MIGRATIONS.map(({ name }, index): [string, number] => [name, index + 1]))(
    'keep every row of a database that was filled after %s',
    async (_, applied) => {
      await applyD1Migrations(env.DB, env.MIGRATIONS.slice(0, applied));
      const made = await rows();
      await fill();
      const before = await rows();
      await applyD1Migrations(env.DB, [...env.MIGRATIONS, next]);
      expect(await rows()).toMatchObject(before);
      const own = Object.entries(before).filter(([name]) => !name.startsWith('search'));
      for (const [name, table] of own)
        expect(table, name).toHaveLength((made[name]?.length ?? 0) + 1);
    },
  );

  test('find by its words what was there before these were kept under the first revision', async () => {
    const record = (id: string, version: number, name: string, isGone = false) =>
      env.DB.prepare(
        `insert into revisions values (null, 'gate', ?1, ?2, 'update', 'root', 'CONSOLE API', 0, 'x',
          json_object('version', ?2 - ?4, 'name', ?3), '[]', 1, 1, 1, null)`,
      ).bind(id, version, name, Number(isGone));
    const found = async (word: string) => {
      const rows = env.DB.prepare('select rowid from search where search match ?').bind(word);
      return (await rows.all()).results.map(({ rowid }) => rowid);
    };
    await applyD1Migrations(env.DB, env.MIGRATIONS.slice(0, 8));
    await env.DB.batch([
      record('a', 1, 'first'),
      record('b', 1, 'other'),
      record('a', 2, 'second'),
      record('b', 2, 'other', true),
    ]);
    await applyD1Migrations(env.DB, env.MIGRATIONS.slice(0, 9));
    expect([await found('first'), await found('second'), await found('other')]).toEqual([
      [],
      [1],
      [],
    ]);
    await env.DB.batch([record('a', 3, 'second'), record('a', 4, 'third'), record('b', 3, 'back')]);
    expect([await found('second'), await found('third'), await found('back')]).toEqual([
      [],
      [1],
      [2],
    ]);
    await record('a', 5, 'third', true).run();
    expect(await found('third')).toEqual([]);
  });

  test('are tried on rows that fit their tables, whatever these ask for', async () => {
    await env.DB.batch(
      [
        `create table "strict" (
          id text primary key, "kind" text not null check ("strict"."kind" in ('gate', 'layer')),
          flag integer not null check (flag in (0, 1)), share real check (share between 0 and 100),
          rules text not null check (json_valid("rules") and json_type("rules") = 'array'),
          metadata text check (json_valid(metadata)), data text check (json_type("strict"."data") = 'object'),
          bytes blob, doubled integer generated always as (flag * 2) virtual
        ) strict`,
        'create trigger refuses before insert on "strict" begin select raise(abort, \'no\'); end',
      ].map((sql) => env.DB.prepare(sql)),
    );
    await fill();
    expect((await rows()).strict).toMatchObject([
      { kind: 'gate', flag: 0, share: 1, rules: '[]', metadata: '{}', data: '{}', doubled: 0 },
    ]);
    await expect(env.DB.prepare('insert into "strict" default values').run()).rejects.toThrow('no');
  });
});

describe('the migrations to unit types in lower case', () => {
  const before = env.MIGRATIONS.findIndex(({ name }) => name.endsWith('_unit_types.sql'));

  const exposure = (unitType: string, unit: string, group: string, time: number) =>
    env.DB.prepare(
      "insert into exposures values ('experiment', 'e', 1, ?, ?, ?, ?, 5, json_object('at', cast(? as integer)))",
    ).bind(unitType, unit, group, time, time);

  const eventOf = (unitType: string, unitID: string, seq: number) =>
    env.DB.prepare("insert into event_units values (?, ?, 'buy', 7, ?, 1.5)").bind(
      unitType,
      unitID,
      seq,
    );

  const counted = (group: string, units: number) =>
    env.DB.prepare("insert into exposure_counts values ('experiment', 'e', 1, ?, ?)").bind(
      group,
      units,
    );

  const all = async (sql: string) => (await env.DB.prepare(sql).raw()).map(([...row]) => row);

  test('rewrite rows, keep the earliest of exposures that become one, and count units again', async () => {
    await applyD1Migrations(env.DB, env.MIGRATIONS.slice(0, before));
    await env.DB.batch([
      exposure('userID', 'u-1', 'a', 30),
      exposure('CompanyID', 'c-1', 'a', 20),
      exposure('companyID', 'c-1', 'a', 10),
      exposure('companyid', 'c-1', 'a', 25),
      exposure('companyID', 'c-1', 'b', 40),
      exposure('COMPANYID', 'c-2', 'b', 50),
      exposure('companyid', 'c-2', 'b', 45),
      exposure('stable', 's-1', 'a', 60),
      counted('a', 5),
      counted('b', 3),
      counted('', 9),
      eventOf('userID', 'u-1', 1),
      eventOf('CompanyID', 'c-1', 1),
      eventOf('companyID', 'c-1', 1),
      eventOf('companyID', 'c-1', 2),
      eventOf('companyid', 'c-1', 3),
      eventOf('Größe', 'g-1', 4),
    ]);
    await applyD1Migrations(env.DB, env.MIGRATIONS);
    expect(
      await all('select unitType, unit, "group", firstTime, attributes from exposures'),
    ).toEqual([
      ['companyid', 'c-1', 'a', 10, '{"at":10}'],
      ['companyid', 'c-1', 'b', 40, '{"at":40}'],
      ['companyid', 'c-2', 'b', 45, '{"at":45}'],
      ['stable', 's-1', 'a', 60, '{"at":60}'],
      ['userid', 'u-1', 'a', 30, '{"at":30}'],
    ]);
    expect(await all('select "group", units from exposure_counts')).toEqual([
      ['', 9],
      ['a', 3],
      ['b', 2],
    ]);
    expect(await all('select unitType, unitID, seq, number from event_units')).toEqual([
      ['companyid', 'c-1', 1, 1.5],
      ['companyid', 'c-1', 2, 1.5],
      ['companyid', 'c-1', 3, 1.5],
      ['größe', 'g-1', 4, 1.5],
      ['userid', 'u-1', 1, 1.5],
    ]);
    const views = "select name from sqlite_master where type = 'view'";
    expect(await all(views)).toEqual([]);
  });

  test('rewrite a bounded number of rows in each statement, as D1 stops one after 30 s', async () => {
    await applyD1Migrations(env.DB, env.MIGRATIONS.slice(0, before));
    const perStep = 100_000;
    const rows = perStep + 1000;
    const numbers = `with recursive n (i) as (select 1 union all select i + 1 from n where i < ${rows})`;
    await env.DB.batch(
      [
        `${numbers} insert into event_units select 'userID', i, 'buy', i, i, null from n`,
        `${numbers} insert into exposures select 'gate', 'g' || (i % 3), 1, 'userID', i, 'on', i, 1, '{}' from n`,
        `insert into exposure_counts select kind, id, start, "group", count(*) from exposures group by id`,
      ].map((sql) => env.DB.prepare(sql)),
    );
    const written: number[] = [];
    for (const sql of env.MIGRATIONS[before]?.queries ?? []) {
      const { meta } = await env.DB.prepare(sql).run();
      if (/^INSERT INTO `unit_type_steps`/m.test(sql)) written.push(meta.rows_written);
    }
    expect(written.slice(0, 3)).toEqual([2 * perStep, 2000, 0]);
    expect(Math.max(...written.slice(3))).toBe(0);
    const types = 'select count(*), min(unitType), max(unitType) from';
    for (const table of ['event_units', 'exposures'])
      expect(await all(`${types} ${table}`)).toEqual([[rows, 'userid', 'userid']]);
  });
});
