import { hasDuplicateKeys, keepsValue, numbersIn } from '../../base/number_loss.ts';

function lossOf(text: string): string | undefined {
  const found = numbersIn(text).find((number) => !keepsValue(number));
  return found && `must not contain ${found}, which can't be stored exactly`;
}

const decimal = /^-?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;

/** A decimal comma, unless it may separate thousands. */
const decimalComma = /(?<![1-9]\d*),|,(?!\d{3}$)/;

const normalize = (text: string) =>
  text.trim().replace(decimalComma, '.').match(decimal)?.[0] ?? '';

/** Returns an error if a number can't be stored exactly. */
export const lossOfNumber = (text: string) => lossOf(normalize(text));

/** Parses a number; returns the text if it is not one or would lose digits. */
export const readNumber = (text: string): unknown =>
  normalize(text) && !lossOfNumber(text) ? Number(normalize(text)) : text;

/** Returns why a text is not JSON or can't be stored exactly; undefined if valid. */
export function faultOf(text: string): string | undefined {
  try {
    return hasDuplicateKeys(text, JSON.parse(text))
      ? 'must not repeat a key in an object'
      : lossOf(text);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Parses JSON; returns the text if it is invalid. */
export const readJSON = (text: string): unknown =>
  faultOf(text) === undefined ? JSON.parse(text) : text;

/** Whether a text starts like an object or a list. */
export const beginsAsJSON = (text: string) => /^\s*[[{]/.test(text);

const withoutSpaces = (text: string) => text.replaceAll(/\s/g, '');

/** Indents JSON of one line, unless that changes more than spaces. */
export function laidOut(text: string): string {
  if (!beginsAsJSON(text) || text.includes('\n')) return text;
  const wide = JSON.stringify(readJSON(text), null, 2);
  return withoutSpaces(wide) === withoutSpaces(text) ? wide : text;
}
