import { applyD1Migrations, reset } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect } from 'vitest';
import { forgetKeys } from '../../src/http/authenticate.ts';
import { forgetCounts } from '../../src/serving/count.ts';
import { forgetSnapshot } from '../../src/serving/current.ts';

type Rows = Record<string, Record<string, unknown>[]>;
type Contents = Record<string, string | null>;

/** A database that was migrated, and never used. */
interface New {
  /** Its tables, indexes and triggers, by their SQL. */
  schema: string[];
  /** What its tables hold, but for that which says when it was migrated. */
  rows: Rows;
  /** The same, and all else, as `contents` has it. */
  contents: Contents;
}

/** What a new database is like, once there was one. */
let known: New | undefined;

/** Everything that the database holds, table by table. */
export async function dump(): Promise<Rows> {
  const names =
    "select name from sqlite_master where type = 'table' and name not like '\\_cf%' escape '\\'";
  const tables = await env.DB.prepare(names).all<{ name: string }>();
  const rows = await env.DB.batch<Record<string, unknown>>(
    tables.results.map(({ name }) => env.DB.prepare(`select * from "${name}"`)),
  );
  return Object.fromEntries(
    tables.results.map(({ name }, index) => [name, rows[index]?.results ?? []]),
  );
}

/** The statement that reads `contents`, once it was made for the tables that there are. */
let reading: string | undefined;

/** What cannot change in place, for triggers refuse that of revisions, and is by far the most: counted, not read. */
const counted: Record<string, string> = {
  sqlite_master: 'select count(*) from sqlite_master',
  revisions: "select concat_ws(', ', count(*), max(seq)) from revisions",
};

/** Reads each table as one text: a line for each row, of its values as SQL has them. */
async function statementOfContents(): Promise<string> {
  const columns = `select m.name, json_group_array(c.name order by c.cid) as columns
    from sqlite_master m, pragma_table_xinfo(m.name) c
    where m.type = 'table' and m.name not like '\\_cf%' escape '\\' and c.hidden <> 1 group by m.name`;
  const { results } = await env.DB.prepare(columns).all<{ name: string; columns: string }>();
  const whole = results.map(({ name, columns }): [name: string, text: string] => {
    const values = JSON.parse(columns).map((column: string) => `quote("${column}")`);
    return [name, `select group_concat(concat_ws(', ', ${values}), char(10)) from "${name}"`];
  });
  const texts = Object.entries({ ...Object.fromEntries(whole), ...counted });
  return `select ${texts.map(([name, text]) => `(${text}) as "${name}"`)}`;
}

/** Returns a text for each table, which differs once anything in it has changed: less work than `dump`. */
export async function contents(): Promise<Contents> {
  reading ??= await statementOfContents();
  return (await env.DB.prepare(reading).first<Contents>()) ?? {};
}

async function rowsOfProject(): Promise<Rows> {
  const { d1_migrations: _, ...rows } = await dump();
  return rows;
}

async function schema(): Promise<string[]> {
  const all = env.DB.prepare('select sql from sqlite_master where sql is not null order by name');
  const { results } = await all.all<{ sql: string }>();
  return results.map(({ sql }) => sql);
}

/** Which of some tables have rows. */
async function filled(names: string[]): Promise<string[]> {
  const asked = names.map((name) => `exists (select 1 from "${name}") as "${name}"`);
  const found = await env.DB.prepare(`select ${asked}`).first<Record<string, number>>();
  return names.filter((name) => found?.[name] === 1);
}

/** Deletes every row, and puts those back that migrations bring: a tenth of the work of migrating anew. */
async function clear({ schema, rows, contents: wanted }: New): Promise<void> {
  // They keep rows from being deleted, as they should.
  const triggers = schema.filter((sql) => /^create trigger `\w+` before delete/i.test(sql));
  const own = Object.entries(rows).filter(([name]) => !/^(sqlite_|search)/.test(name));
  const brought = own.flatMap(([name, all]) =>
    all.map((row) => ({ name, columns: Object.keys(row), values: Object.values(row) })),
  );
  const used = await filled(own.map(([name]) => name));
  await env.DB.batch([
    ...triggers.map((sql) => env.DB.prepare(`drop trigger ${sql.split(/\s+/)[2]}`)),
    ...used.map((name) => env.DB.prepare(`delete from "${name}"`)),
    env.DB.prepare("insert into search (search) values ('delete-all')"),
    env.DB.prepare("delete from sqlite_sequence where name <> 'd1_migrations'"),
    ...triggers.map((sql) => env.DB.prepare(sql)),
    ...brought.map(({ name, columns, values }) =>
      env.DB.prepare(`insert into "${name}" (${columns}) values (${columns.map(() => '?')})`).bind(
        ...values,
      ),
    ),
  ]);
  expect(await contents()).toEqual(wanted);
}

const isEmpty = async () =>
  (await env.DB.prepare("select name from sqlite_master where name = 'gates'").first()) === null;

/** Removes the database, and migrates another. */
async function migrateAnew(): Promise<void> {
  await reset();
  // On a busy machine, the database may be there again after a reset: written back by who had it open.
  for (let tries = 1; !(await isEmpty()); tries++) {
    if (tries === 10) throw new Error('the database cannot be emptied');
    await reset();
  }
  await applyD1Migrations(env.DB, env.MIGRATIONS);
  reading = undefined;
}

/** Makes the database new: migrated, with nothing in it. */
export async function emptyDatabase(): Promise<void> {
  forgetKeys();
  forgetSnapshot();
  forgetCounts();
  const now = await schema();
  if (known && now.join(';') === known.schema.join(';')) return clear(known);
  await migrateAnew();
  known = { schema: await schema(), rows: await rowsOfProject(), contents: await contents() };
}
