// What JSON and JSON5 texts lose without a word when they are read: digits of numbers, and members of one name.

/**
 * The digits of a number, without its power and the zeros at its ends: where these stay as they are, so does the number.
 * Zeros are looked at from their first, or many of them would take a time that is the square of theirs.
 */
const digitsOf = (number: string) => number.replace(/e.*|\D/gi, '').replace(/^0+|(?<!0)0+$/g, '');

const isHexadecimal = (number: string) => /^0x/i.test(number);

/** Whether a number without a sign stays the number that its text says. */
export function isHeld(number: string): boolean {
  const read = Number(number);
  if (isHexadecimal(number)) return Number.isFinite(read) && BigInt(number) === BigInt(read);
  return digitsOf(number) === digitsOf(String(read));
}

/** Whether a number without a sign is beyond 2^53 and would be stored as another; infinite ones are refused elsewhere. */
export const losesDigits = (number: string): boolean =>
  Number(number) > Number.MAX_SAFE_INTEGER && Number.isFinite(Number(number)) && !isHeld(number);

/** The pieces of a text that was read as JSON5: texts, comments, colons, and names and numbers. */
const pieces =
  /"[^"\\]*(?:\\[\s\S][^"\\]*)*"|'[^'\\]*(?:\\[\s\S][^'\\]*)*'|\/\/[^\n\r\u2028\u2029]*|\/\*[\s\S]*?\*\/|:|[^\s"'{}[\],:/]+/g;

const piecesOf = (text: string): string[] => text.match(pieces) ?? [];

/** The numbers of a text that was read as JSON or JSON5, without their signs. */
export const numbersIn = (text: string): string[] =>
  piecesOf(text)
    .filter((piece) => /^[+-]?[\d.]/.test(piece))
    .map((number) => number.replace(/^[+-]/, ''));

/** How many members the objects within a value have. */
function membersOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const within = Object.values(value);
  const own = Array.isArray(value) ? 0 : within.length;
  return within.reduce((sum: number, part) => sum + membersOf(part), own);
}

/** Whether an object of a text that was read as JSON or JSON5 has two members of one name, of which the later is kept. */
export const hasTwice = (text: string, value: unknown): boolean =>
  piecesOf(text).filter((piece) => piece === ':').length !== membersOf(value);

/** Why a text that was read as JSON or JSON5 would be stored as another; undefined if it would not. */
export function lossIn(text: string, value: unknown): string | undefined {
  const lost = numbersIn(text).find(losesDigits);
  if (lost) return `must have ${lost} as text: as a number it would be stored as ${Number(lost)}`;
  return hasTwice(text, value) ? 'must not have two members of one name in an object' : undefined;
}
