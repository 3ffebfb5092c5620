import { applyD1Migrations, reset } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { dump, emptyDatabase } from './support/database.ts';
import { fill } from './support/fill.ts';

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
