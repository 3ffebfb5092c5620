/** In how many ways a repeated group may match one text, before it can take longer than a Worker may run. */
const mostWays = 1000;

/** A quantifier: how many lengths it lets its item have, and how often that can stand at most. */
interface Quantifier {
  ways: number;
  most: number;
}

/**
 * Whether a regular expression repeats a group that itself repeats, such as `(a+)+`: one of these can hold an isolate
 * for minutes with a text of thirty characters. Few repetitions in few, such as `(\d{1,3}\.){3}`, are harmless.
 * @param pattern a valid regular expression
 */
export function repeatsRepetition(pattern: string): boolean {
  const open = [1]; // the ways of each open group
  let closed = 1; // the ways of the group that ended just before
  for (const [token] of pattern.matchAll(tokens)) {
    const quantifier = quantifierOf(token);
    const ways = quantifier ? quantifier.ways * repeated(closed, quantifier.most) : 1;
    if (closed > 1 && (quantifier?.most ?? 0) > 1 && ways > mostWays) return true;
    closed = token === ')' ? (open.pop() ?? 1) : 1;
    if (token.startsWith('(')) open.push(1);
    else open.push((open.pop() ?? 1) * ways * closed);
  }
  return false;
}

const repeated = (ways: number, times: number) => (ways === 1 ? 1 : ways ** times);

/** An escape, a class of characters, the begin of a group, a quantifier, or one character. */
const tokens =
  /\\[\s\S]|\[(?:\\[\s\S]|[^\]\\])*\]|\((?:\?(?:<?[=!]|:|<\w+>))?|\{\d+(?:,\d*)?\}|[\s\S]/g;

function quantifierOf(token: string): Quantifier | undefined {
  const endless = Number.POSITIVE_INFINITY;
  if (token === '*' || token === '+') return { ways: endless, most: endless };
  const [, least, comma, upper] = /^\{(\d+)(,?)(\d*)\}$/.exec(token) ?? [];
  if (least === undefined) return undefined;
  const unbounded = comma ? endless : Number(least);
  const most = upper ? Number(upper) : unbounded;
  return { ways: most - Number(least) + 1, most };
}
