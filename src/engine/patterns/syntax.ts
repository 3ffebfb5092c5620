export type Piece =
  | { is: 'character'; source: string }
  /** A position between two characters: the beginning or end of the text, or a word boundary. */
  | { is: 'place'; source: string }
  | { is: 'sequence'; pieces: Piece[] }
  | { is: 'choice'; pieces: Piece[] }
  | { is: 'repetition'; piece: Piece; least: number; most: number };

/** Why a pattern is refused; completes a sentence about its property. */
export class Untaken extends Error {}

const refusePattern = (why: string): never => {
  throw new Untaken(why);
};

const quantifier = /(?:[*+?]|\{\d+(?:,\d*)?\})\??/y;
const group = /\((?:\?(?:[:=!]|<[=!]|<[^>]*>)?)?/y;
const set = /\[(?:\\[\s\S]|[^\]\\])*\]/y;

/** The escapes with one meaning in all regular expression engines; others are typos or differ. */
const escapes = {
  '': /\\(?:[dDwWsStnvfrbB]|c[A-Za-z]|0(?!\d)|x[\dA-Fa-f]{2}|u[\dA-Fa-f]{4}|[^A-Za-z\d])/y,
  u: /\\(?:[dDwWsStnvfrbB]|c[A-Za-z]|0(?!\d)|x[\dA-Fa-f]{2}|u[Dd][89ABab][\dA-Fa-f]{2}\\u[Dd][C-Fc-f][\dA-Fa-f]{2}|u[\dA-Fa-f]{4}|u\{[\dA-Fa-f]+\}|[pP]\{[^}]*\}|[^A-Za-z\d])/uy,
};

/** How a pattern is matched: by UTF-16 code units, or with the flag `u` by whole characters. */
export type Flags = keyof typeof escapes;

class Reader {
  at = 0;
  constructor(
    readonly text: string,
    readonly flags: Flags,
  ) {}

  take(expression: RegExp): string | undefined {
    expression.lastIndex = this.at;
    const [found] = expression.exec(this.text) ?? [];
    this.at += found?.length ?? 0;
    return found;
  }

  get next(): string {
    return this.text.charAt(this.at);
  }

  get isAtEnd(): boolean {
    return this.at >= this.text.length;
  }
}

function refuseEscape({ text, at }: Reader): never {
  const found = text.slice(at, at + 2);
  if (/[1-9k]/.test(found)) return refusePattern('must not have backreferences');
  return refusePattern(`must not have the escape ${found}, which differs between SDKs`);
}

const takeEscape = (reader: Reader) => reader.take(escapes[reader.flags]) ?? refuseEscape(reader);

function takeClass(reader: Reader): string {
  const source = reader.take(set) ?? '';
  if (!source.includes('\\')) return source;
  const inside = new Reader(source, reader.flags);
  while (inside.at < source.length) {
    if (inside.next === '\\') takeEscape(inside);
    else inside.at++;
  }
  return source;
}

/** With the flag `u`, takes both surrogates. */
function takeCharacter(reader: Reader): string {
  const { text, at, flags, next } = reader;
  const whole = flags === 'u' ? String.fromCodePoint(text.codePointAt(at) ?? 0) : next;
  reader.at += whole.length;
  return whole;
}

function atom(reader: Reader): Piece {
  switch (reader.next) {
    case '(':
      return insideGroup(reader);
    case '[':
      return { is: 'character', source: takeClass(reader) };
    case '^':
    case '$':
      return { is: 'place', source: takeCharacter(reader) };
    case '\\': {
      const source = takeEscape(reader);
      return { is: /^\\[bB]$/.test(source) ? 'place' : 'character', source };
    }
    default:
      return { is: 'character', source: takeCharacter(reader) };
  }
}

function insideGroup(reader: Reader): Piece {
  const opening = reader.take(group) ?? '';
  if (/^\(\?<?[=!]$/.test(opening)) return refusePattern('must not look ahead or behind');
  if (opening === '(?') return refusePattern('must not change flags inside');
  const piece = choice(reader);
  reader.at++; // the closing parenthesis
  return piece;
}

const endless = Number.POSITIVE_INFINITY;
const signs: Record<string, [least: number, most: number]> = {
  '*': [0, endless],
  '+': [1, endless],
  '?': [0, 1],
};

function repetitionsOf(found: string): [least: number, most: number] {
  const [, least = '', comma = '', most = ''] = /^\{(\d+)(,?)(\d*)\}/.exec(found) ?? [];
  if (!comma) return signs[found.charAt(0)] ?? [Number(least), Number(least)];
  return [Number(least), most === '' ? endless : Number(most)];
}

function repeated(reader: Reader): Piece {
  const piece = atom(reader);
  const found = '*+?{'.includes(reader.next) ? reader.take(quantifier) : undefined;
  if (!found) return piece;
  const [least, most] = repetitionsOf(found);
  return { is: 'repetition', piece, least, most };
}

function sequence(reader: Reader): Piece {
  const pieces: Piece[] = [];
  while (!reader.isAtEnd && reader.next !== '|' && reader.next !== ')')
    pieces.push(repeated(reader));
  return { is: 'sequence', pieces };
}

function choice(reader: Reader): Piece {
  const first = sequence(reader);
  if (reader.next !== '|') return first;
  const pieces = [first];
  while (reader.next === '|') {
    reader.at++;
    pieces.push(sequence(reader));
  }
  return { is: 'choice', pieces };
}

/** Parses a pattern. @throws Untaken unless it is a JavaScript regular expression that can be matched in one pass */
export function parsePattern(text: string, flags: Flags): Piece {
  try {
    new RegExp(text, flags);
  } catch {
    refusePattern('must be a regular expression');
  }
  return choice(new Reader(text, flags));
}
