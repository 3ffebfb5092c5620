import { env } from 'cloudflare:workers';
import { test } from 'vitest';
import { call, costOf, ok } from '../support/client.ts';

const spy = (real: D1Database, log: (s: string, m: D1Meta) => void): D1Database => {
  const over = (session: D1DatabaseSession): D1DatabaseSession => ({
    prepare: (q) => {
      const p = session.prepare(q);
      const b = p.bind.bind(p);
      Object.assign(p, { bind: (...a: unknown[]) => Object.assign(b(...a), { __sql: q }) });
      return p;
    },
    getBookmark: () => session.getBookmark(),
    async batch<T>(st: D1PreparedStatement[]) {
      const r = await session.batch<T>(st);
      r.forEach((x, i) => log(Object(st[i]).__sql, x.meta));
      return r;
    },
  });
  return {
    prepare: (q) => real.prepare(q),
    batch: (s) => real.batch(s),
    exec: (q) => real.exec(q),
    dump: () => real.dump(),
    withSession: (s) => over(real.withSession(s)),
  };
};

test('per statement', async () => {
  const change = async (what: string, method: string, path: string, body?: unknown) => {
    const lines: string[] = [];
    const DB = spy(env.DB, (s, m) =>
      lines.push(
        `   ${String(m.rows_read).padStart(3)} r ${String(m.rows_written).padStart(3)} w  ${s.replace(/\s+/g, ' ').slice(0, 110)}`,
      ),
    );
    const a = await call(method, path, { body, bindings: { DB } });
    const { read, written } = costOf(a);
    console.log(
      `${what.padEnd(20)} ${a.status} read ${read} written ${written}\n${lines.join('\n')}`,
    );
  };
  await ok('POST', 'gates', { name: 'First one', teamID: 't' });
  for (let i = 0; i < 10; i++) await ok('POST', 'gates', { name: `Other ${i}`, teamID: 't' });
  await change('create', 'POST', 'gates', { name: 'A new one' });
  await change('create 3 tags', 'POST', 'gates', {
    name: 'A new three',
    tags: ['a', 'b', 'c'],
    description: 'Some words in a description that is longer',
  });
  await change('desc', 'PATCH', 'gates/a_new_one', { description: 'New.' });
  await change('tag', 'PATCH', 'gates/a_new_one', { tags: ['a'] });
  await change('tag other', 'PATCH', 'gates/a_new_one', { tags: ['b'] });
  await change('disable', 'PUT', 'gates/a_new_one/disable');
  await change('enable', 'PUT', 'gates/a_new_one/enable');
  await change('archive', 'PUT', 'gates/a_new_one/archive');
  await change('unarchive', 'PUT', 'gates/a_new_one/unarchive');
  await change('delete', 'DELETE', 'gates/a_new_one');
  await change('restore', 'PUT', 'gates/a_new_one/versions/1/restore');
});
