import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { longestCall, maxArguments, withArgumentLimit } from '../support/arguments.ts';

const call = (count: number) => `max(${Array.from({ length: count }, () => '1').join(', ')})`;

describe('the arguments of an SQL function', () => {
  test.each([
    ['select 1', '', 0],
    ['insert into "gates" ("id", "name", "status") values (1, 2, 3)', '', 0],
    ['select coalesce(max(1, 2, 3), \', (\') as "a, b" from t', 'max', 3],
    ['select json_array(1, (select 2, 3), (4)), abs(1)', 'json_array', 3],
  ])('the longest call is found in %s', (sql, name, count) => {
    expect(longestCall(sql)).toEqual({ name, count });
  });

  test('a statement with a call of more than 32 arguments fails in tests', () => {
    const session = withArgumentLimit(env.DB).withSession();
    expect(() => session.prepare(`select ${call(maxArguments)}`)).not.toThrow();
    expect(() => session.prepare(`select ${call(maxArguments + 1)}`)).toThrow(
      'max has 33 arguments',
    );
  });

  test('no trigger calls a function with more than 32 arguments', async () => {
    const triggers = env.DB.prepare("select name, sql from sqlite_master where type = 'trigger'");
    const { results } = await triggers.all<{ name: string; sql: string }>();
    expect(results.length).toBeGreaterThan(8);
    const counts = results.map(({ name, sql }) => ({ name, count: longestCall(sql).count }));
    expect(counts.filter(({ count }) => count > maxArguments)).toEqual([]);
  });
});
