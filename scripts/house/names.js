// Counts the functions and types at the top of files whose name another file of the same side, Worker or page, declares.
import { filesIn, read } from './files.js';

/** Names that each folder of one sort has: the folder shows whose they are. */
const allowed = new Set(['filters', 'resource', 'words', 'example', 'schema', 'Props', 'Body']);

export const sides = /** @type {const} */ (['worker', 'page']);

const patterns = {
  functions: [
    /^(?:export )?(?:async )?function\*? (\w+)/gm,
    /^(?:export )?const (\w+)(?:: [^=\n]+)? =\s*(?:<[^\n]*>\s*)?(?:async\s*)?(?:\([^\n]*|\w+\s*=>)/gm,
  ],
  types: [/^(?:export )?(?:type|interface) (\w+)/gm],
};

/** @typedef {{ file: string, isExported: boolean }} Declaration */

/** @param {string} line */
const isFunction = (line) =>
  /^(?:export )?(?:async )?function/.test(line) || /=>|[(,]\s*$/.test(line);

/**
 * Returns where each name is declared.
 * @param {(typeof sides)[number]} side
 * @param {keyof typeof patterns} sort
 */
function declarations(side, sort) {
  /** @type {Map<string, Declaration[]>} */
  const found = new Map();
  for (const file of filesIn(['src'], /\.tsx?$/)) {
    if (file.endsWith('.d.ts') || file.startsWith('src/page/') !== (side === 'page')) continue;
    const text = read(file);
    for (const [line, name = ''] of patterns[sort].flatMap((one) => [...text.matchAll(one)])) {
      if (allowed.has(name) || (sort === 'functions' && !isFunction(line))) continue;
      const all = found.get(name) ?? [];
      if (all.some((one) => one.file === file)) continue;
      found.set(name, [...all, { file, isExported: line.startsWith('export') }]);
    }
  }
  return found;
}

/**
 * Returns the shared names of a side: their share in percent of all declarations, and those exported from two files.
 * @param {(typeof sides)[number]} side
 * @param {keyof typeof patterns} sort
 */
export function sharedNames(side, sort) {
  const found = [...declarations(side, sort)];
  const shared = found.filter(([, all]) => all.length > 1);
  /** @param {[string, Declaration[]][]} names */
  const total = (names) => names.reduce((sum, [, all]) => sum + all.length, 0);
  return {
    percent: (100 * total(shared)) / total(found),
    shared: shared.map(([name, all]) => `${name}: ${all.map(({ file }) => file).join(', ')}`),
    exportedTwice: shared
      .filter(([, all]) => all.filter(({ isExported }) => isExported).length > 1)
      .map(([name]) => name),
  };
}

function main() {
  for (const side of sides)
    for (const sort of /** @type {const} */ (['functions', 'types'])) {
      const { percent, shared } = sharedNames(side, sort);
      process.stdout.write(
        `${percent.toFixed(1)}% of the ${sort} of the ${side} share their name\n`,
      );
      for (const line of shared) process.stdout.write(`  ${line}\n`);
    }
}

if (import.meta.filename === process.argv[1]) main();
