import { applyD1Migrations, reset } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterAll, describe, expect, test } from 'vitest';
import { dump, emptyDatabase } from './support/client.ts';

/** Tables that hold no rows of their own: D1's, SQLite's, the words of a search, and what refuses every row. */
const kept = (name: string) => !/^(d1_|sqlite_|search|guard$)/.test(name);

/** The columns of a table that a constraint holds to JSON. */
async function jsonColumns(table: string): Promise<Set<string | undefined>> {
  const schema = env.DB.prepare('select sql from sqlite_master where name = ?').bind(table);
  const text = (await schema.first<string>('sql')) ?? '';
  return new Set([...text.matchAll(/json_valid\((\w+)\)/g)].map(([, column]) => column));
}

interface Column {
  name: string;
  type: string;
  /** 0 for a stored column, 2 for one that is computed. */
  hidden: number;
}

/** Puts one row into each table that there is; it refers to a metric, which need not be there. */
async function fill(): Promise<void> {
  for (const table of Object.keys(await dump()).filter(kept)) {
    const { results } = await env.DB.prepare(`pragma table_xinfo("${table}")`).all<Column>();
    const columns = results.filter(({ hidden }) => hidden === 0);
    const json = await jsonColumns(table);
    const filler = ({ name, type }: Column) => {
      if (type === 'INTEGER' || type === 'REAL') return 1;
      if (json.has(name)) return '{"filled":true}';
      return name === 'toKind' ? 'metric' : 'filled';
    };
    const names = columns.map(({ name }) => `"${name}"`).join(', ');
    const places = columns.map(() => '?').join(', ');
    await env.DB.prepare(`insert into "${table}" (${names}) values (${places})`)
      .bind(...columns.map(filler))
      .run();
  }
}

/** The rows of every table that has any of its own. */
const rows = async () =>
  Object.fromEntries(Object.entries(await dump()).filter(([table]) => kept(table)));

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
      await reset();
      await applyD1Migrations(env.DB, env.MIGRATIONS.slice(0, applied));
      await fill();
      const before = await rows();
      await applyD1Migrations(env.DB, env.MIGRATIONS);
      expect(await rows()).toMatchObject(before);
      expect(Object.keys(before)).toEqual(expect.arrayContaining(['gates', 'revisions', 'refs']));
      for (const [table, { length }] of Object.entries(before))
        expect([table, length]).toEqual([table, 1]);
    },
  );
});
