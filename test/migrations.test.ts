import { applyD1Migrations, reset } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterAll, describe, expect, test } from 'vitest';
import { dump, emptyDatabase } from './support/client.ts';

/** A value that fits a column of a STRICT table. */
const filler = (name: string, type: string) => {
  if (type === 'INTEGER' || type === 'REAL') return 1;
  return ['data', 'snapshot', 'metadata', 'headers'].includes(name) ? '{}' : 'filled';
};

interface Column {
  name: string;
  type: string;
  /** 0 for a stored column, 2 for one that is computed. */
  hidden: number;
}

/** Puts one row into each table that there is; the triggers that would refuse made-up rows stand aside. */
async function fill(): Promise<void> {
  for (const table of Object.keys(await dump()).filter((name) => !/^d1_|^sqlite_/.test(name))) {
    const { results } = await env.DB.prepare(`pragma table_xinfo("${table}")`).all<Column>();
    const columns = results.filter(({ hidden }) => hidden === 0);
    const names = columns.map(({ name }) => `"${name}"`).join(', ');
    const values = columns.map(({ name, type }) =>
      name === 'toKind' ? 'tag' : filler(name, type),
    );
    const places = columns.map(() => '?').join(', ');
    await env.DB.prepare(`insert into "${table}" (${names}) values (${places})`)
      .bind(...values)
      .run();
  }
}

/** The rows of every table but the one that counts migrations. */
async function rows() {
  const { d1_migrations: _, ...tables } = await dump();
  return tables;
}

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
      for (const table of Object.values(before)) expect(table).toHaveLength(1);
    },
  );
});
