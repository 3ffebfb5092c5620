import { withSessions } from './sessions.ts';

/** How many arguments D1 takes of a function; the local runtime takes 127. */
export const most = 32;

/** Texts and names in quotes, calls, and what opens, parts and closes lists. */
const tokens = /'(?:[^']|'')*'|"[^"]*"|\w+\(|[(),]/g;

/** The call of a function with the most arguments in a statement, and how many these are; none for no call. */
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

/** Looks at each statement once. */
function check(sql: string): void {
  if (known.has(sql)) return;
  const { name, count } = longestCall(sql);
  if (count > most) throw new Error(`${name} has ${count} arguments, of which D1 takes ${most}.`);
  known.add(sql);
}

/** A D1 binding that takes no more arguments of a function than D1 does. */
export const strict = (real: D1Database): D1Database =>
  withSessions(real, (session) => ({
    getBookmark: () => session.getBookmark(),
    batch: (statements) => session.batch(statements),
    prepare(sql) {
      check(sql);
      return session.prepare(sql);
    },
  }));
