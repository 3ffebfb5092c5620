// Parsing JSON and JSON5 silently drops digits of long numbers, and duplicate keys except the last.

/** Returns the significant digits. The lookbehind keeps long runs of zeros linear. */
const digitsOf = (number: string) => number.replace(/e.*|\D/gi, '').replace(/^0+|(?<!0)0+$/g, '');

const isHexadecimal = (number: string) => /^0x/i.test(number);

/** Whether an unsigned number keeps its value when parsed. */
export function keepsValue(number: string): boolean {
  const read = Number(number);
  if (isHexadecimal(number)) return Number.isFinite(read) && BigInt(number) === BigInt(read);
  return digitsOf(number) === digitsOf(String(read));
}

/** Whether an unsigned number beyond 2^53 would be stored as another; infinite ones are refused elsewhere. */
export const losesDigits = (number: string): boolean =>
  Number(number) > Number.MAX_SAFE_INTEGER &&
  Number.isFinite(Number(number)) &&
  !keepsValue(number);

const tokens =
  /"[^"\\]*(?:\\[\s\S][^"\\]*)*"|'[^'\\]*(?:\\[\s\S][^'\\]*)*'|\/\/[^\n\r\u2028\u2029]*|\/\*[\s\S]*?\*\/|:|[^\s"'{}[\],:/]+/g;

const tokensOf = (text: string): string[] => text.match(tokens) ?? [];

/** Returns the unsigned numbers of a JSON or JSON5 text. */
export const numbersIn = (text: string): string[] =>
  tokensOf(text)
    .filter((piece) => /^[+-]?[\d.]/.test(piece))
    .map((number) => number.replace(/^[+-]/, ''));

function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const within = Object.values(value);
  const own = Array.isArray(value) ? 0 : within.length;
  return within.reduce((sum: number, part) => sum + countMembers(part), own);
}

/** Whether an object in a JSON or JSON5 text has a duplicate key; parsing keeps the last. */
export const hasDuplicateKeys = (text: string, value: unknown): boolean =>
  tokensOf(text).filter((piece) => piece === ':').length !== countMembers(value);

/** Returns why a JSON or JSON5 text would be stored with another meaning; undefined if it would not. */
export function lossIn(text: string, value: unknown): string | undefined {
  const lost = numbersIn(text).find(losesDigits);
  if (lost) return `must have ${lost} as text: as a number it would be stored as ${Number(lost)}`;
  return hasDuplicateKeys(text, value) ? 'must not have an object with duplicate keys' : undefined;
}
