import { hasTwice, isHeld, numbersIn } from '../shared/number_loss.ts';

/** Which number of a text would be stored as another; undefined for none. */
function lossOf(text: string): string | undefined {
  const found = numbersIn(text).find((number) => !isHeld(number));
  return found && `must not contain ${found}, which can't be stored exactly`;
}

/** A number, as it is typed. */
const decimal = /^-?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;

/** A comma for a point: one that may stand between thousands is none. */
const pointed = /(?<![1-9]\d*),|,(?!\d{3}$)/;

/** A number with a point, as which a text is read; empty where it is none. */
const plainOf = (text: string) => text.trim().replace(pointed, '.').match(decimal)?.[0] ?? '';

/** Which number a text is that would be stored as another; undefined for none. */
export const lossOfNumber = (text: string) => lossOf(plainOf(text));

/** A number, or the text that is none, or that would become another: the server says so of it. */
export const readNumber = (text: string): unknown =>
  plainOf(text) && !lossOfNumber(text) ? Number(plainOf(text)) : text;

/** Why a text is no JSON, or would be stored as another; undefined where it is and would not. */
export function faultOf(text: string): string | undefined {
  try {
    return hasTwice(text, JSON.parse(text)) ? 'must not repeat a key in an object' : lossOf(text);
  } catch (error) {
    return Object(error).message;
  }
}

/** The value of a text that is JSON, or the text. */
export const readJSON = (text: string): unknown =>
  faultOf(text) === undefined ? JSON.parse(text) : text;

/** Whether a text begins like an object or a list. */
export const beginsAsJSON = (text: string) => /^\s*[[{]/.test(text);

const bare = (text: string) => text.replaceAll(/\s/g, '');

/** A text as it is read: JSON that stands on one line is laid out, unless more than its spaces would change by that. */
export function laidOut(text: string): string {
  if (!beginsAsJSON(text) || text.includes('\n')) return text;
  const wide = JSON.stringify(readJSON(text), null, 2);
  return bare(wide) === bare(text) ? wide : text;
}
