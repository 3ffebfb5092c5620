import { env } from 'cloudflare:workers';
import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { openDatabase } from '../../src/platform/store/sql/database.ts';
import { statement } from '../../src/platform/store/sql/statement.ts';

const [one, other] = [sql.placeholder('one'), sql.placeholder('other')];

test('a handwritten statement binds each placeholder once, and decodes its rows', async () => {
  const sums = statement<{ sum: number }>(
    sql`select ${one} + ${other} + ${one} as sum`,
    ({ sum }) => ({ sum: Number(sum) * 10 }),
  );
  const built = sums({ one: 1, other: 2 });
  expect(built).toMatchObject({ sql: 'select ?1 + ?2 + ?1 as sum', params: [1, 2] });
  const db = openDatabase(env.DB, 'first-primary');
  expect(await db.batch(built)).toEqual([[{ sum: 40 }]]);
});

test('a handwritten statement without a value for a placeholder is an error', () => {
  expect(() => statement(sql`select ${one}`)({ other: 1 })).toThrow('one');
});
