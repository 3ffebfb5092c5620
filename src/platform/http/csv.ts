import type { Context } from 'hono';
import { textStream } from './stream.ts';

export type Field = string | number | boolean | null | undefined;

/** Spreadsheets run a text that begins with one of these as a formula. */
const formula = /^[=+\-@\t\r]/;

function written(field: Field): string {
  const given = String(field ?? '');
  const text = typeof field === 'string' && formula.test(given) ? `'${given}` : given;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Returns lines of CSV (RFC 4180). */
export const csvOf = (rows: readonly (readonly Field[])[]): string =>
  rows.map((row) => `${row.map(written).join(',')}\r\n`).join('');

/** Returns a table with a line of names, in CSV (RFC 4180). */
export const tableOf = (names: readonly string[], rows: readonly (readonly Field[])[]): string =>
  csvOf([names, ...rows]);

export const csvType = 'text/csv; charset=utf-8; header=present';

/** Whether a client prefers CSV: it accepts it by name. */
export const wantsCSV = (c: Context): boolean =>
  (c.req.header('Accept') ?? '')
    .split(',')
    .some((range) => /^\s*text\/csv\s*(;(?!\s*q=0(\.0*)?\s*$)|$)/i.test(range));

async function* withNames(names: readonly string[], first: string, lines: AsyncGenerator<string>) {
  yield csvOf([names]) + first;
  yield* lines;
}

/** Streams a table. Its first lines are read before the response, so that an error is a problem. */
export async function csvStream(
  c: Context,
  names: readonly string[],
  lines: AsyncGenerator<string>,
): Promise<Response> {
  const first = await lines.next();
  const stream = textStream(withNames(names, first.done ? '' : first.value, lines));
  return c.body(stream, 200, { 'Content-Type': csvType });
}
