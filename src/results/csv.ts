import type { Context } from 'hono';

export type Field = string | number | boolean | null | undefined;

/** Quotes a field with a comma, a quotation mark or a line break (RFC 4180, section 2). */
function written(field: Field): string {
  const text = String(field ?? '');
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Returns a table with a line of names, in CSV (RFC 4180). */
export const csvOf = (names: readonly string[], rows: readonly (readonly Field[])[]): string =>
  [names, ...rows].map((row) => `${row.map(written).join(',')}\r\n`).join('');

export const csvType = 'text/csv; charset=utf-8; header=present';

/** Whether a client prefers CSV: it accepts it by name. */
export const wantsCSV = (c: Context): boolean =>
  (c.req.header('Accept') ?? '')
    .split(',')
    .some((range) => /^\s*text\/csv\s*(;(?!\s*q=0(\.0*)?\s*$)|$)/i.test(range));
