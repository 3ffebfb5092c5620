import { docUnits } from './comments.js';

/** @typedef {import('./prose.js').Unit} Unit */

/**
 * Where the scanner is in a file.
 * @typedef {object} Scan
 * @property {string} source
 * @property {number} at index of the next character
 * @property {number} line line of that character
 * @property {string} before the last significant character: it tells a regular expression from a division
 * @property {number} braces open braces
 * @property {number[]} templates the number of open braces at each open template literal
 * @property {{ text: string, line: number, last: number } | undefined} run consecutive line comments, which are one unit
 * @property {boolean} isTest
 * @property {boolean} isPage
 * @property {Unit[]} units
 */

/**
 * Tries to read one piece of source. Returns whether it was there, and is read.
 * @typedef {(scan: Scan) => boolean} Reader
 */

/**
 * @param {Scan} scan
 * @param {Unit['surface']} surface
 * @param {string} text
 * @param {number} line
 */
function add(scan, surface, text, line) {
  if (text.trim()) scan.units.push({ line, surface, text });
}

/** @param {Scan} scan */
function endRun(scan) {
  if (scan.run) add(scan, 'comment', scan.run.text, scan.run.line);
  scan.run = undefined;
}

/**
 * The index of a text from a position on, or the end of the source.
 * @param {Scan} scan
 * @param {string} text
 * @param {number} from
 */
function indexOrEnd({ source }, text, from) {
  const found = source.indexOf(text, from);
  return found < 0 ? source.length : found;
}

/** @param {Scan} scan */
const isOwnLine = ({ source, at }) => /(?:^|\n)\s*$/.test(source.slice(Math.max(0, at - 200), at));

const directive = /^(?:[@#]|eslint|biome|prettier|istanbul|c8|v8|ts-|tslint)/;

/** @type {Reader} */
function lineComment(scan) {
  const { source, at, line } = scan;
  if (source.slice(at, at + 2) !== '//' || source[at - 1] === ':') return false;
  const end = indexOrEnd(scan, '\n', at);
  const text = source.slice(at + 2, end).trim();
  const isDirective = directive.test(text);
  if (scan.run && scan.run.last === line - 1 && !isDirective && isOwnLine(scan))
    Object.assign(scan.run, { text: `${scan.run.text} ${text}`, last: line });
  else {
    endRun(scan);
    if (!isDirective) scan.run = { text, line, last: line };
  }
  scan.at = end;
  return true;
}

/** @type {Reader} */
function blockComment(scan) {
  const { source, at } = scan;
  if (source.slice(at, at + 2) !== '/*') return false;
  endRun(scan);
  const end = indexOrEnd(scan, '*/', at + 2);
  const whole = source.slice(at + 2, end);
  for (const { text, line } of docUnits(whole, scan.line)) add(scan, 'comment', text, line);
  scan.line += whole.split('\n').length - 1;
  scan.at = end + 2;
  return true;
}

/** @type {Reader} */
function blank(scan) {
  const character = scan.source[scan.at] ?? '';
  if (!/\s/.test(character)) return false;
  if (character === '\n') scan.line++;
  scan.at++;
  return true;
}

/**
 * The text of a quoted string; undefined if it does not end on its line.
 * @param {string} source
 * @param {number} at
 */
function quoted(source, at) {
  const quote = source[at];
  for (let index = at + 1; index < source.length; index++) {
    if (source[index] === '\\') index++;
    else if (source[index] === '\n') return undefined;
    else if (source[index] === quote) return source.slice(at + 1, index);
  }
  return undefined;
}

const threeWords = /[a-z]{2,}[ ,.'’:;]+(?:[\w’'-]+[ ,.:;]+)+[a-z]/i;
const noProse =
  /^[./@#<]|[{}<>=;]{2}|\b(?:select|insert|update|delete|create|drop) .*\b(?:from|into|set|table|where)\b/i;
const noText = /\bimport\b[^;]*$|\bfrom\s*$|require\($|class(?:Name)?=$|className=\{?$/;
const testName = /\b(?:test|it|describe)(?:\.\w+(?:\([^)]*\))?)*\(\s*$/;

/**
 * Adds a literal that reads as prose: three words or more, one of them in small letters.
 * @param {Scan} scan
 * @param {string} text
 */
function addLiteral(scan, text) {
  if (!threeWords.test(text) || noProse.test(text)) return;
  const head = scan.source.slice(Math.max(0, scan.at - 60), scan.at);
  if (noText.test(head)) return;
  if (!scan.isTest) add(scan, scan.isPage ? 'ui' : 'message', text, scan.line);
  else if (testName.test(head)) add(scan, 'test', text, scan.line);
}

/** @type {Reader} */
function string(scan) {
  const { source, at } = scan;
  const quote = source[at] ?? '';
  if (quote !== "'" && quote !== '"') return false;
  const text = quoted(source, at);
  if (text === undefined) return false;
  addLiteral(scan, text);
  scan.at += text.length + 2;
  scan.before = quote;
  return true;
}

/** @type {Reader} */
function template(scan) {
  const { source, at, templates } = scan;
  const character = source[at];
  const goesOn = character === '}' && templates.at(-1) === scan.braces;
  if (character !== '`' && !goesOn) return false;
  if (goesOn) templates.pop();
  let end = at + 1;
  let text = '';
  while (end < source.length && source[end] !== '`' && source.slice(end, end + 2) !== '${') {
    if (source[end] === '\\') end++;
    if (source[end] === '\n') scan.line++;
    text += source[end++];
  }
  addLiteral(scan, text);
  if (source[end] !== '`') templates.push(scan.braces);
  scan.at = source[end] === '`' ? end + 1 : end + 2;
  scan.before = '`';
  return true;
}

const beforePattern = /[=(,:[!&|?{};+\-*%~^>]|^$/;
const pattern = /^\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[a-z]*/;

/** @type {Reader} */
function regularExpression(scan) {
  const { source, at, before } = scan;
  if (source[at] !== '/' || !beforePattern.test(before)) return false;
  const [found] = pattern.exec(source.slice(at, at + 2000)) ?? [];
  if (found === undefined) return false;
  scan.at += found.length;
  scan.before = '/';
  return true;
}

const elementText = /^>([^<>{}=;()`]*[a-z]{2,} [a-z]{2,}[^<>{}=;()`]*)(?=[<{])/i;

/** @type {Reader} */
function character(scan) {
  const { source, at, before, isPage } = scan;
  const next = source[at] ?? '';
  if (next === '{') scan.braces++;
  if (next === '}') scan.braces--;
  if (next === '>' && isPage && before !== '=') {
    const [, text] = elementText.exec(source.slice(at, at + 600)) ?? [];
    if (text !== undefined) add(scan, 'ui', text.replace(/\s+/g, ' '), scan.line);
  }
  scan.before = next;
  scan.at++;
  return true;
}

const comments = [lineComment, blank, blockComment];
const others = [string, template, regularExpression, character];

/**
 * Comments, string literals and texts of elements, by a small scanner that knows strings, templates and regular
 * expressions.
 * @param {string} source
 * @param {string} path
 */
export function code(source, path) {
  /** @type {Scan} */
  const scan = {
    source,
    at: 0,
    line: 1,
    before: '',
    braces: 0,
    templates: [],
    run: undefined,
    isTest: /\.test\.|\.spec\.|\/__tests__\//.test(path),
    isPage: /\/page\/|\.tsx$|\.jsx$/.test(path),
    units: [],
  };
  while (scan.at < source.length) {
    if (comments.some((read) => read(scan))) continue;
    if (scan.run && scan.run.last < scan.line) endRun(scan);
    others.some((read) => read(scan));
  }
  endRun(scan);
  return scan.units;
}
