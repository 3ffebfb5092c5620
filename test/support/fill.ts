import { env } from 'cloudflare:workers';

interface Column {
  name: string;
  type: string;
  /** 0 for a stored column; others are computed. */
  hidden: number;
}

interface Made {
  type: string;
  name: string;
  sql: string;
}

/**
 * A value that a column takes, by what its table was made with: the first of the values that a CHECK lists; otherwise a
 * text that is also JSON, for a later migration may read it as such.
 */
function fillerOf({ name, type }: Pick<Column, 'name' | 'type'>, sql: string) {
  const column = `(?:["\`]?\\w+["\`]?\\.)?["\`]?\\b${name}\\b["\`]?`;
  const listed = sql.match(new RegExp(`${column}\\s+in\\s*\\(\\s*(?:'([^']*)'|(-?[\\d.]+))`, 'i'));
  if (listed) return listed[1] ?? Number(listed[2]);
  if (/int|real/i.test(type)) return 1;
  if (/blob/i.test(type)) return new Uint8Array([1]);
  const isArray = new RegExp(`json_type\\(\\s*${column}\\s*\\)\\s*(?:=|is)\\s*'array'`, 'i');
  return isArray.test(sql) ? '[]' : '{}';
}

async function fillTable({ name, sql }: Made): Promise<void> {
  const { results } = await env.DB.prepare(`pragma table_xinfo("${name}")`).all<Column>();
  const columns = results.filter(({ hidden }) => hidden === 0);
  const names = columns.map((column) => `"${column.name}"`).join(', ');
  const places = columns.map(() => '?').join(', ');
  await env.DB.prepare(`insert into "${name}" (${names}) values (${places})`)
    .bind(...columns.map((column) => fillerOf(column, sql)))
    .run();
}

/** Puts one row into each table that there is; the triggers, which would refuse made-up rows, stand aside. */
export async function fill(): Promise<void> {
  const all = 'select type, name, sql from sqlite_master where sql is not null';
  const { results } = await env.DB.prepare(all).all<Made>();
  const made = results.filter(({ name }) => !/^(_cf_|d1_|sqlite_|search)/.test(name));
  const triggers = made.filter(({ type }) => type === 'trigger');
  for (const { name } of triggers) await env.DB.prepare(`drop trigger "${name}"`).run();
  for (const table of made.filter(({ type }) => type === 'table')) await fillTable(table);
  for (const { sql } of triggers) await env.DB.prepare(sql).run();
}
