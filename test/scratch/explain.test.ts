import { env } from 'cloudflare:workers';
import { test } from 'vitest';
import { call, costOf } from '../support/client.ts';
import { watched } from '../support/watch.ts';
import { big } from './big.ts';

test('explain', { timeout: 60000 }, async () => {
  await big(999);
  for (const q of (
    process.env.Q ??
    'tags=half&tags=all|includeArchived=true&tags=half|tags=rare&targetAppID=web|search=zanzibar'
  ).split('|')) {
    const { DB, sent } = watched(env.DB);
    const attempted: string[] = [];
    const w = DB.withSession;
    DB.withSession = (s) => {
      const x = w(s);
      const b = x.batch.bind(x);
      x.batch = async (st) => {
        try {
          return await b(st);
        } catch (e) {
          attempted.push(String(e));
          throw e;
        }
      };
      return x;
    };
    const a = await call('GET', `gates?limit=10&${q}`, { bindings: { DB } });
    console.log('=====', q, costOf(a).read, a.body.pagination?.totalItems, attempted.at(-1));
    for (const { sql, params, read } of sent) {
      const plan = await env.DB.prepare(`explain query plan ${sql}`)
        .bind(...params)
        .all<{ detail: string }>();
      console.log(
        read,
        sql.replace(/select ("version".*?|"id".*?) from/g, 'select … from').slice(0, 900),
        JSON.stringify(params),
      );
      console.log(plan.results.map((r) => '      ' + r.detail).join('\n'));
    }
  }
});
