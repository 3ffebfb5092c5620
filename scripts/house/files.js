import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Packages and the built page. */
const notWritten = /\b(?:node_modules|assets)\//;

/**
 * Returns the paths of the written files in folders.
 * @param {string[]} folders
 * @param {RegExp} pattern of the path
 */
export const filesIn = (folders, pattern) =>
  folders
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path)),
    )
    .filter((path) => pattern.test(path) && !notWritten.test(path));

/** @param {string} path */
export const read = (path) => readFileSync(path, 'utf8');

/** @param {string} text */
export const linesOf = (text) => text.trimEnd().split('\n');

const notCode =
  /\/\*[\s\S]*?\*\/|\/\/.*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/g;

/**
 * Returns source code without comments, texts and imports; lines keep their numbers.
 * @param {string} source
 */
export const codeOf = (source) =>
  source
    .replace(notCode, (text) => text.replace(/[^\n]/g, ' '))
    .replace(/^(?:import|export (?:type )?[{*])[^;]*;/gm, (text) => text.replace(/[^\n]/g, ' '));
