import { extname } from 'node:path';
import { code } from './code.js';
import { lineComments, styleComments } from './comments.js';
import { rules } from './rules.js';

/**
 * One comment, Markdown paragraph, bullet or table cell, message, text of the page or test name.
 * @typedef {{ line: number, surface: 'comment' | 'markdown' | 'message' | 'ui' | 'test', text: string }} Unit
 */

/**
 * The units of a Markdown file, without code and headings.
 * @param {string} source
 */
function markdown(source) {
  /** @type {Unit[]} */
  const units = [];
  let [text, start, isCode] = ['', 0, false];
  const flush = () => {
    if (text.trim()) units.push({ line: start, surface: 'markdown', text });
    text = '';
  };
  /**
   * @param {string} raw
   * @param {number} line
   */
  const addCells = (raw, line) => {
    for (const cell of raw.split(/(?<!\\)\|/))
      if (/[a-z] [a-z]/i.test(cell)) units.push({ line, surface: 'markdown', text: cell.trim() });
  };
  /**
   * @param {string} raw
   * @param {number} line
   */
  const addLine = (raw, line) => {
    const isItem = /^\s*(?:[-*+]|\d+[.)]) /.test(raw);
    const isHeading = raw.startsWith('#');
    if (raw.trim() === '' || isItem || isHeading) flush();
    if (raw.trim() === '') return;
    if (!text) start = line;
    text = isHeading ? '' : `${text}${raw.replace(/^\s*(?:[-*+]|\d+[.)]|#+|>) ?/, '')} `;
  };
  source.split('\n').forEach((raw, index) => {
    const isFence = /^\s*(```|~~~)/.test(raw);
    const isRow = /^\s*\|/.test(raw);
    if (isFence) isCode = !isCode;
    else if (isCode || /^\s*<[^>]+>\s*$/.test(raw)) return;
    if (isFence || isRow) flush();
    if (isRow) addCells(raw, index + 1);
    else if (!isFence) addLine(raw, index + 1);
  });
  flush();
  return units;
}

/**
 * The units of a file, by the end of its name.
 * @param {string} path
 * @param {string} source
 * @returns {Unit[]}
 */
export function unitsOf(path, source) {
  const ext = extname(path);
  if (ext === '.md') return markdown(source);
  if (/^\.[cm]?[jt]sx?$/.test(ext)) return code(source, path);
  if (ext === '.css') return styleComments(source);
  if (ext === '.sql') return lineComments(source, '--');
  return ext === '.toml' ? lineComments(source, '#') : [];
}

/**
 * The prose of a text: without code, links, placeholders and repeated blanks.
 * @param {string} text
 */
const proseOf = (text) =>
  text
    .replace(/`[^`]*`/g, 'CODE')
    .replace(/\$\{[^}]*\}/g, 'VALUE')
    .replace(/\]\([^)]*\)/g, ']')
    .replace(/https?:\S+/g, 'URL')
    .replace(/\*\*|__|\[|\]/g, '')
    .replace(/\\n/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

/**
 * The odd constructions in a text. A comment with `words-ok` has none.
 * @param {string} text
 */
export function hitsIn(text) {
  if (/words-ok/.test(text)) return [];
  const plain = proseOf(text);
  return rules.flatMap(({ name, pattern, hint }) =>
    [...plain.matchAll(pattern)].map(({ 0: found, index }) => ({
      rule: name,
      hint,
      phrase: plain.slice(Math.max(0, index - 25), index + found.length + 25).trim(),
    })),
  );
}
