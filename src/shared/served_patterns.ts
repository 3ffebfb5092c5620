import { type Piece, parsePattern } from './pattern_syntax.ts';
import { patternFault } from './patterns.ts';

/** What may stand more often than this, counting all groups around it, must not repeat openly. */
const mostTimes = 10;

/** Whether a piece repeats what itself repeats, as `(a+)+` does: engines that backtrack try too many ways through it. */
function repeatsRepetition(piece: Piece, times = 1): boolean {
  if (piece.is === 'repetition') {
    const isOpen = piece.most > Math.max(piece.least, 1);
    if (isOpen && times > mostTimes) return true;
    return repeatsRepetition(piece.piece, times * Math.max(piece.most, 1));
  }
  return 'pieces' in piece && piece.pieces.some((part) => repeatsRepetition(part, times));
}

/** What other engines take for something else: an empty set, a set in a set and the operators of sets, `{,5}`, `\<`. */
const meantElsewhere = /\\[0<>c]|\[\^?\]|(?<=\[[^\]]*)(?:\[|&&|--|~~)|(?<!\[[^\]]*)\{,\d*\}/;

/** A set with what is in it, or an escape outside of sets. */
const sets = /\\[\s\S]|\[\^?((?:\\[\s\S]|[^\]\\])*)\]/g;

/** What a set is made of: ranges, escapes and characters. */
const members = /(?:\\[\s\S]|[^\\])(?:-(?:\\[\s\S]|[^\\]))?/g;

/** A range that begins or ends with a class. */
const rangeOfClass = /^\\[dDsSwW]-|-\\[dDsSwW]$/;

/** What a pattern has that other engines take for something else, and where; ranges such as `[\w-.]` they refuse. */
function meantOtherwise(text: string): { piece: string; at: number } | undefined {
  // Escapes that mean the same are passed over.
  const found = meantElsewhere.exec(text.replace(/\\[^0<>c]/gs, '__'));
  if (found) return { piece: found[0], at: found.index };
  for (const { 0: set, 1: inside = '', index } of text.matchAll(sets)) {
    const range = [...inside.matchAll(members)].find(([member]) => rangeOfClass.test(member));
    if (range) return { piece: range[0], at: index + set.indexOf(inside) + range.index };
  }
  return undefined;
}

/** Says so where a pattern would mean something else to SDKs. */
function otherMeaning(text: string): string | undefined {
  const { piece, at = 0 } = meantOtherwise(text) ?? {};
  return (
    piece &&
    `must not have ${piece} at character ${at + 1}, which does not mean the same everywhere`
  );
}

/**
 * Why a pattern cannot be served to SDKs, which match it by their own engines: what `patternFault` says, that it would mean
 * something else to some of them, and that a group which repeats is repeated, for that takes some of them a second and
 * more for each user. See docs/contract/evaluation.md#patterns-in-sdks.
 */
export function servedPatternFault(text: string): string | undefined {
  const fault = patternFault(text) ?? otherMeaning(text);
  if (fault !== undefined || !repeatsRepetition(parsePattern(text, ''))) return fault;
  return 'must not repeat a group that itself repeats, as (a+)+ does: SDKs could search by it for very long';
}
