import { type Piece, parsePattern } from './pattern_syntax.ts';
import { patternFault } from './patterns.ts';

/** A group that may stand more often than this must not contain a repetition. */
const mostTimes = 10;

/** Whether a piece repeats what itself repeats, as `(a+)+` does: engines that backtrack try too many ways through it. */
function repeatsRepetition(piece: Piece, isRepeated = false): boolean {
  if (piece.is === 'repetition') {
    const isOpen = piece.most > Math.max(piece.least, 1);
    if (isRepeated && isOpen) return true;
    return repeatsRepetition(piece.piece, isRepeated || piece.most > mostTimes);
  }
  return 'pieces' in piece && piece.pieces.some((part) => repeatsRepetition(part, isRepeated));
}

/** What other engines take for something else: an empty set, a set in a set and the operators of sets, `{,5}`, `\<`. */
const meantElsewhere = /\\[0<>c]|\[\^?\]|(?<=\[[^\]]*)(?:\[|&&|--|~~)|(?<!\[[^\]]*)\{,\d*\}/;

/** A range of a set that begins or ends with a class, as in `[\w-.]`, which others refuse; what is before is passed over. */
const rangeOfClass =
  /(?<=\[(?:\^|(?!\^))(?:[^\]\\]-[^\]\\]|(?:\\.|[^\]\\])(?!-[^\]]))*)(?:\\[dDsSwW]-(?!\])|[^\]\\]-\\[dDsSwW])/;

/** Why a pattern would mean something else to SDKs; escapes that mean the same are passed over. */
function otherMeaning(text: string): string | undefined {
  const rest = text.replace(/\\[^0<>cdDsSwW]/gs, '__');
  const found = meantElsewhere.exec(rest) ?? rangeOfClass.exec(rest);
  return found
    ? `must not have ${found[0]} at character ${found.index + 1}, which does not mean the same everywhere`
    : undefined;
}

/**
 * Why a pattern cannot be served to SDKs, which match it by their own engines: what `patternFault` says, that it would mean
 * something else to some of them, and that a group which repeats is repeated, for that takes some of them a second and
 * more for each user (evaluation, section 11).
 */
export function servedPatternFault(text: string): string | undefined {
  const fault = patternFault(text) ?? otherMeaning(text);
  if (fault !== undefined || !repeatsRepetition(parsePattern(text, ''))) return fault;
  return 'must not repeat a group that itself repeats, as (a+)+ does: SDKs could search by it for very long';
}
