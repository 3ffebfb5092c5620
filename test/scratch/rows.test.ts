import { env } from 'cloudflare:workers';
import { test } from 'vitest';
import { ok } from '../support/client.ts';

test('rows', async () => {
  for (let i = 0; i < 10; i++)
    await ok('POST', 'gates', { name: `Other ${i}`, teamID: 't', tags: ['x', `t${i}`] });
  await ok('PATCH', 'gates/other_1', { description: 'c' });
  const run = async (sql: string, ...p: unknown[]) => {
    const r = await env.DB.prepare(sql)
      .bind(...p)
      .run();
    console.log(
      `${r.meta.rows_read} r ${r.meta.rows_written} w   ${sql.replace(/\s+/g, ' ').slice(0, 200)}`,
      JSON.stringify(r.results).slice(0, 200),
    );
  };
  const given = '(select (?1)->0 as value, 0 as key)';
  const nth = (c: string, of: string) =>
    `coalesce((select ${c} from revisions where ${of} = value->>'${of}' and requestID <> value->>'requestID' order by ${c} desc limit 1), 0) + 1`;
  const v = (version: number) =>
    JSON.stringify([
      {
        kind: 'gate',
        id: 'other_9',
        version,
        requestID: 'zz' + version,
        action: 'update',
        actorID: 'root',
        time: 1,
      },
    ]);
  const cols = (seq: string, time: string) =>
    `${seq}, value->>'kind', value->>'id', value->>'version', value->>'action', value->>'actorID', 'root', ${time}, value->>'requestID', '{}', '[]', ${nth('nthOfKind', 'kind')}, ${nth('nthOfAction', 'action')}, ${nth('nthOfActor', 'actorID')}`;
  await run(
    `insert into revisions select ${cols('null', "max(value->>'time', coalesce((select time from revisions order by seq desc limit 1), 0))")} from ${given}`,
    v(2),
  );
  await run(
    `insert into revisions select ${cols('coalesce(lastSeq, 0) + key + 1', "max(value->>'time', coalesce(lastTime, 0))")} from ${given}, (select max(seq) as lastSeq, time as lastTime from revisions)`,
    v(3),
  );
  await run(
    `insert into revisions select ${cols('coalesce((select max(seq) from revisions), 0) + key + 1', "max(value->>'time', coalesce((select time from revisions order by seq desc limit 1), 0))")} from ${given}`,
    v(4),
  );
  await run(
    `insert into revisions select ${cols('null', "max(value->>'time', coalesce((select time from revisions order by seq desc limit 1), 0))")} from ${given}`,
    v(5),
  );
  await run(
    `insert into revisions values (${cols('null', "max(value->>'time', coalesce((select time from revisions order by seq desc limit 1), 0))").replaceAll('value->', '(?1)->0->')})`,
    v(6),
  );
  await run(`select max(seq) as lastSeq, time as lastTime from revisions`);
  await run(
    `with last as materialized (select max(seq) as lastSeq, time as lastTime from revisions) select (select lastSeq from last), (select lastTime from last)`,
  );
  await run(`select * from revisions where seq > 12`);
});
