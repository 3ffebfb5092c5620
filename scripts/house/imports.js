import { dirname, join } from 'node:path';
import { filesIn, read } from './files.js';

/** @typedef {{ file: string, target: string }} Edge */

/** The files of `src`. */
export const files = filesIn(['src'], /\.(?:tsx?|cjs)$/);

const known = new Set(files);

/**
 * Returns the files of `src` that a file names after a pattern.
 * @param {string} file
 * @param {RegExp} pattern
 */
const named = (file, pattern) =>
  [...read(file).matchAll(pattern)]
    .map(([, path = '']) => join(dirname(file), path))
    .filter((path) => known.has(path));

/** The files of `src` that each file imports, type imports included. */
const imports = new Map(files.map((file) => [file, named(file, /\bfrom '(\.[^']+)'/g)]));

/** The files of `src` that each file loads by `import()`, or imports for their effect. */
const others = new Map(files.map((file) => [file, named(file, /\bimport[ (]'(\.[^']+)'/g)]));

/**
 * @param {Map<string, string[]>} found
 * @returns {Edge[]}
 */
const edgesOf = (found) =>
  [...found].flatMap(([file, targets]) => targets.map((target) => ({ file, target })));

/** The imports within `src`: those of types and `import()` too. */
export const edges = [...edgesOf(imports), ...edgesOf(others)];

/**
 * Returns the files that a file imports, directly or through others, type imports included.
 * @param {string} file
 */
export function reachedFrom(file) {
  const reached = new Set(imports.get(file));
  for (const target of reached) // grows while it is walked
    for (const next of imports.get(target) ?? []) reached.add(next);
  return reached;
}

/**
 * Returns the files of `src` that a file loads at its start: imports of types alone are left out.
 * @param {string} file
 */
export const valueImports = (file) =>
  named(file, /^(?:import|export)(?! type)[^;]*? from '(\.[^']+)';/gm);

/** Returns the files of `src` that are in an import cycle. */
export const filesInCycles = () => files.filter((file) => reachedFrom(file).has(file));
