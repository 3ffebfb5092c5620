import { type Flags, type Piece, parsePattern, Untaken } from './syntax.ts';

const maxPatternLength = 1000;

/** States of a pattern, with its repetitions written out. */
const maxStates = 5000;

export type Spend = (steps: number) => void;

export type Matcher = (text: string, spend?: Spend) => boolean;

interface MatcherState {
  /** Whether a character leads to the next states; undefined if none is consumed. */
  takes?: (code: number) => boolean;
  /** Whether the position leads to the next states; undefined if any does. */
  holds?: (text: string, at: number) => boolean;
  to: number[];
}

function stateCount(piece: Piece): number {
  if (piece.is === 'repetition') {
    const times = Number.isFinite(piece.most) ? piece.most : piece.least + 1;
    return times * (stateCount(piece.piece) + 1);
  }
  if (!('pieces' in piece)) return 1;
  return piece.pieces.reduce((sum, part) => sum + stateCount(part), 1);
}

function parsedPattern(text: string, flags: Flags): Piece {
  if (text.length > maxPatternLength)
    throw new Untaken(`must be at most ${maxPatternLength} characters long`);
  const piece = parsePattern(text, flags);
  if (stateCount(piece) <= maxStates) return piece;
  throw new Untaken(`must be at most ${maxStates} characters long with repetitions written out`);
}

/** Returns why a pattern is refused: its meaning differs between engines, or its time is not linear in the text. */
export function patternFault(text: string, flags: Flags = ''): string | undefined {
  try {
    parsedPattern(text, flags);
    return undefined;
  } catch (error) {
    if (error instanceof Untaken) return error.message;
    throw error;
  }
}

const stringOf = { '': String.fromCharCode, u: String.fromCodePoint };

/** Whether a character matches a character, class or escape, as the platform interprets it. */
function characterTest(source: string, flags: Flags): (code: number) => boolean {
  if (source.length === 1 && source !== '.') {
    const own = source.charCodeAt(0);
    return (code) => code === own;
  }
  const expression = new RegExp(`^${source}$`, flags);
  const isOne = (code: number) => expression.test(stringOf[flags](code));
  const known = new Uint8Array(128); // 0 unknown, 1 no, 2 yes
  return (code) => {
    if (code > 127) return isOne(code);
    if (known[code] === 0) known[code] = isOne(code) ? 2 : 1;
    return known[code] === 2;
  };
}

const isWord = (text: string, at: number) => /\w/.test(text.charAt(at));
const isEdge = (text: string, at: number) => isWord(text, at - 1) !== isWord(text, at);

const places: Record<string, MatcherState['holds']> = {
  '^': (_text, at) => at === 0,
  $: (text, at) => at === text.length,
  '\\b': isEdge,
  '\\B': (text, at) => !isEdge(text, at),
};

function build(states: MatcherState[], piece: Piece, after: number, flags: Flags): number {
  const add = (state: MatcherState) => states.push(state) - 1;
  switch (piece.is) {
    case 'character':
      return add({ takes: characterTest(piece.source, flags), to: [after] });
    case 'place':
      return add({ holds: places[piece.source] ?? (() => false), to: [after] });
    case 'sequence':
      return piece.pieces.reduceRight((next, part) => build(states, part, next, flags), after);
    case 'choice':
      return add({ to: piece.pieces.map((part) => build(states, part, after, flags)) });
    case 'repetition':
      return buildRepetition(states, piece, after, flags);
  }
}

function buildRepetition(
  states: MatcherState[],
  { piece, least, most }: Extract<Piece, { is: 'repetition' }>,
  after: number,
  flags: Flags,
): number {
  let first = after;
  if (most === Number.POSITIVE_INFINITY) {
    const again: MatcherState = { to: [after] };
    first = states.push(again) - 1;
    again.to.push(build(states, piece, first, flags));
  } else
    for (let count = least; count < most; count++)
      first = states.push({ to: [build(states, piece, first, flags), after] }) - 1;
  for (let count = 0; count < least; count++) first = build(states, piece, first, flags);
  return first;
}

const end = 0;

class Pass {
  isMatched = false;
  steps = 0;
  #waiting: MatcherState[] = [];
  #before: MatcherState[] = [];
  readonly #open: number[] = [];
  readonly #reachedAt: Int32Array;

  constructor(
    readonly states: MatcherState[],
    readonly text: string,
  ) {
    this.#reachedAt = new Int32Array(states.length).fill(-1);
  }

  /** Reaches a state, and those that follow without a character, each once per position. */
  reach(from: number, at: number): void {
    const open = this.#open;
    for (let next: number | undefined = from; next !== undefined; next = open.pop()) {
      this.steps++;
      const state = this.states[next];
      if (!state || this.#reachedAt[next] === at) continue;
      this.#reachedAt[next] = at;
      if (next === end) this.isMatched = true;
      else if (state.takes) this.#waiting.push(state);
      else if (!state.holds || state.holds(this.text, at)) open.push(...state.to);
    }
  }

  pass(code: number, at: number): void {
    [this.#before, this.#waiting] = [this.#waiting, this.#before];
    this.#waiting.length = 0;
    this.steps += this.#before.length;
    for (const { takes, to } of this.#before)
      if (takes?.(code)) for (const next of to) this.reach(next, at);
  }
}

/**
 * Compiles a pattern to an automaton of `size` states, linear in text and pattern (Thompson's construction).
 * @throws Untaken for the reasons of `patternFault`
 */
export function matcherOf(source: string, flags: Flags = ''): Matcher & { size: number } {
  const states: MatcherState[] = [{ to: [] }];
  const first = build(states, parsedPattern(source, flags), end, flags);
  const match: Matcher = (text, spend) => {
    const pass = new Pass(states, text);
    for (let at = 0; ; ) {
      pass.reach(first, at);
      spend?.(pass.steps);
      pass.steps = 0;
      if (pass.isMatched || at >= text.length) return pass.isMatched;
      const code = (flags === 'u' ? text.codePointAt(at) : text.charCodeAt(at)) ?? 0;
      at += code > 0xffff ? 2 : 1;
      pass.pass(code, at);
    }
  };
  return Object.assign(match, { size: states.length });
}
