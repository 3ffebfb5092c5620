import { patternFault } from './patterns.ts';
import { type Piece, parsePattern } from './syntax.ts';

/** The repetitions, counting all groups around a piece, above which it must not repeat openly. */
const maxRepetitions = 10;

/** Whether a piece repeats a repetition, as `(a+)+` does: engines that backtrack try too many ways. */
function repeatsRepetition(piece: Piece, times = 1): boolean {
  if (piece.is === 'repetition') {
    const isOpen = piece.most > Math.max(piece.least, 1);
    if (isOpen && times > maxRepetitions) return true;
    return repeatsRepetition(piece.piece, times * Math.max(piece.most, 1));
  }
  return 'pieces' in piece && piece.pieces.some((part) => repeatsRepetition(part, times));
}

/** Syntax with another meaning in other engines: an empty class, nested classes and class operators, `{,5}`, `\<`. */
const ambiguousSyntax = /\\[0<>c]|\[\^?\]|(?<=\[[^\]]*)(?:\[|&&|--|~~)|(?<!\[[^\]]*)\{,\d*\}/;

const classes = /\\[\s\S]|\[\^?((?:\\[\s\S]|[^\]\\])*)\]/g;

const members = /(?:\\[\s\S]|[^\\])(?:-(?:\\[\s\S]|[^\\]))?/g;

const rangeOfClass = /^\\[dDsSwW]-|-\\[dDsSwW]$/;

/** Other engines also refuse ranges such as `[\w-.]`. */
function findAmbiguous(text: string): { piece: string; at: number } | undefined {
  // Unambiguous escapes are masked.
  const found = ambiguousSyntax.exec(text.replace(/\\[^0<>c]/gs, '__'));
  if (found) return { piece: found[0], at: found.index };
  for (const { 0: set, 1: inside = '', index } of text.matchAll(classes)) {
    const range = [...inside.matchAll(members)].find(([member]) => rangeOfClass.test(member));
    if (range) return { piece: range[0], at: index + set.indexOf(inside) + range.index };
  }
  return undefined;
}

function ambiguityFault(text: string): string | undefined {
  const { piece, at = 0 } = findAmbiguous(text) ?? {};
  return piece && `must not have ${piece} at character ${at + 1}, which differs between SDKs`;
}

/**
 * Returns why SDKs cannot match a pattern: for `patternFault`, another meaning in their engines, or backtracking of a
 * second and more for each user. See docs/contract/evaluation.md#patterns-in-sdks.
 */
export function servedPatternFault(text: string): string | undefined {
  const fault = patternFault(text) ?? ambiguityFault(text);
  if (fault !== undefined || !repeatsRepetition(parsePattern(text, ''))) return fault;
  return 'must not repeat a repetition, such as (a+)+, which is too slow in SDKs';
}
