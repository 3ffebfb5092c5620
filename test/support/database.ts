import { applyD1Migrations, reset } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect } from 'vitest';
import { forgetCounts } from '../../src/delivery/serving/count.ts';
import { forgetSnapshot } from '../../src/delivery/serving/current.ts';
import { forgetKeys } from '../../src/platform/http/authenticate.ts';

type Rows = Record<string, Record<string, unknown>[]>;
type Contents = Record<string, string | null>;

/** The state of a newly migrated database. */
interface NewDatabase {
  /** The SQL of its tables, indexes and triggers. */
  schema: string[];
  /** The rows of its tables, except the table of applied migrations. */
  rows: Rows;
  /** The result of `contents`. */
  contents: Contents;
}

let known: NewDatabase | undefined;

/** Returns all rows of the database by table. */
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

/** The cached statement of `contents`. */
let reading: string | undefined;

/** What cannot change in place, for triggers refuse that of revisions, and is by far the most: counted, not read. */
const counted: Record<string, string> = {
  sqlite_master: 'select count(*) from sqlite_master',
  revisions: "select concat_ws(', ', count(*), max(seq)) from revisions",
};

/** Returns the statement that reads each table, and the schema, as one text with a line for each row. */
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

/** Returns a text for each table; faster than `dump` for a check whether anything changed. */
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

/** Returns the names of the tables that have rows. */
async function tablesWithRows(names: string[]): Promise<string[]> {
  const columns = names.map((name) => `exists (select 1 from "${name}") as "${name}"`);
  const found = await env.DB.prepare(`select ${columns}`).first<Record<string, number>>();
  return names.filter((name) => found?.[name] === 1);
}

/** Deletes all rows, and inserts the rows of the migrations again: 10 times as fast as another migration. */
async function clear({ schema, rows, contents: wanted }: NewDatabase): Promise<void> {
  // These triggers prevent deletions.
  const triggers = schema.filter((sql) => /^create trigger `\w+` before delete/i.test(sql));
  const own = Object.entries(rows).filter(([name]) => !/^(sqlite_|search)/.test(name));
  const migratedRows = own.flatMap(([name, all]) =>
    all.map((row) => ({ name, columns: Object.keys(row), values: Object.values(row) })),
  );
  const used = await tablesWithRows(own.map(([name]) => name));
  await env.DB.batch([
    ...triggers.map((sql) => env.DB.prepare(`drop trigger ${sql.split(/\s+/)[2]}`)),
    ...used.map((name) => env.DB.prepare(`delete from "${name}"`)),
    env.DB.prepare("insert into search (search) values ('delete-all')"),
    env.DB.prepare("delete from sqlite_sequence where name <> 'd1_migrations'"),
    ...triggers.map((sql) => env.DB.prepare(sql)),
    ...migratedRows.map(({ name, columns, values }) =>
      env.DB.prepare(`insert into "${name}" (${columns}) values (${columns.map(() => '?')})`).bind(
        ...values,
      ),
    ),
  ]);
  expect(await contents()).toEqual(wanted);
}

const isEmpty = async () =>
  (await env.DB.prepare("select name from sqlite_master where name = 'gates'").first()) === null;

/** Removes the database, and migrates a new one. */
async function migrateNew(): Promise<void> {
  await reset();
  // On a busy machine, a process with an open database may write it back after a reset.
  for (let tries = 1; !(await isEmpty()); tries++) {
    if (tries === 10) throw new Error('the database cannot be emptied');
    await reset();
  }
  await applyD1Migrations(env.DB, env.MIGRATIONS);
  reading = undefined;
}

/** Resets the database to its newly migrated state. */
export async function emptyDatabase(): Promise<void> {
  forgetKeys();
  forgetSnapshot();
  forgetCounts();
  const now = await schema();
  if (known && now.join(';') === known.schema.join(';')) return clear(known);
  await migrateNew();
  known = { schema: await schema(), rows: await rowsOfProject(), contents: await contents() };
}
