import { env } from 'cloudflare:workers';

interface Column {
  name: string;
  type: string;
  /** 0 for a stored column; others are computed. */
  hidden: number;
}

interface SchemaEntry {
  type: string;
  name: string;
  sql: string;
}

/**
 * Returns a valid value for a column: the first value that a CHECK lists, or a value of its type. Texts are JSON, because a
 * later migration may parse them.
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

async function fillTable({ name, sql }: SchemaEntry): Promise<void> {
  const { results } = await env.DB.prepare(`pragma table_xinfo("${name}")`).all<Column>();
  const columns = results.filter(({ hidden }) => hidden === 0);
  const names = columns.map((column) => `"${column.name}"`).join(', ');
  const places = columns.map(() => '?').join(', ');
  await env.DB.prepare(`insert into "${name}" (${names}) values (${places})`)
    .bind(...columns.map((column) => fillerOf(column, sql)))
    .run();
}

/** Inserts one row into each table, without the triggers, which would reject it. */
export async function fill(): Promise<void> {
  const all = 'select type, name, sql from sqlite_master where sql is not null';
  const { results } = await env.DB.prepare(all).all<SchemaEntry>();
  const entries = results.filter(({ name }) => !/^(_cf_|d1_|sqlite_|search)/.test(name));
  const triggers = entries.filter(({ type }) => type === 'trigger');
  for (const { name } of triggers) await env.DB.prepare(`drop trigger "${name}"`).run();
  for (const table of entries.filter(({ type }) => type === 'table')) await fillTable(table);
  for (const { sql } of triggers) await env.DB.prepare(sql).run();
}
