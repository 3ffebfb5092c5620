import { withSessions } from './sessions.ts';

/** D1 accepts at most 32 arguments of a function; the local runtime accepts 127. */
export const maxArguments = 32;

/** Quoted texts and names, the start of calls, parentheses and commas. */
const tokens = /'(?:[^']|'')*'|"[^"]*"|\w+\(|[(),]/g;

/** Returns the call with the most arguments in a statement, and their number; an empty name without calls. */
export function longestCall(sql: string): { name: string; count: number } {
  const open: { name: string; count: number }[] = [];
  let longest = { name: '', count: 0 };
  for (const [token] of sql.matchAll(tokens)) {
    const list = open.at(-1);
    if (token.endsWith('(')) open.push({ name: token.slice(0, -1), count: 1 });
    else if (token === ',' && list) list.count += 1;
    else if (token === ')' && list) {
      open.pop();
      if (list.name && list.count > longest.count) longest = list;
    }
  }
  return longest;
}

const known = new Set<string>();

/** Checks each statement once. */
function check(sql: string): void {
  if (known.has(sql)) return;
  const { name, count } = longestCall(sql);
  if (count > maxArguments)
    throw new Error(`${name} has ${count} arguments; D1 accepts ${maxArguments}.`);
  known.add(sql);
}

/** Returns a D1 binding that rejects functions with more arguments than D1 accepts. */
export const withArgumentLimit = (real: D1Database): D1Database =>
  withSessions(real, (session) => ({
    getBookmark: () => session.getBookmark(),
    batch: (statements) => session.batch(statements),
    prepare(sql) {
      check(sql);
      return session.prepare(sql);
    },
  }));
