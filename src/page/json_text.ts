/** The value of a text that is JSON, or the text. */
export function readJSON(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Why a text is no JSON; undefined where it is. */
export function faultOf(text: string): string | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : 'is no JSON';
  }
}

/** Whether a text begins like an object or a list. */
export const beginsAsJSON = (text: string) => /^\s*[[{]/.test(text);

const bare = (text: string) => text.replaceAll(/\s/g, '');

/** A text as it is read: JSON that stands on one line is laid out, unless more than its spaces would change by that. */
export function laidOut(text: string): string {
  if (!beginsAsJSON(text) || text.includes('\n')) return text;
  const wide = JSON.stringify(readJSON(text), null, 2);
  return bare(wide) === bare(text) ? wide : text;
}
