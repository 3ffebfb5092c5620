import { measureWords } from '../words.js';
import { citations, documents, resolves, textOf } from './documents.js';
import { codeOf, filesIn, linesOf, read } from './files.js';
import { filesInCycles } from './imports.js';
import { forbiddenImports, upwardImports } from './rooms.js';

/**
 * A number that must not grow.
 * @typedef {object} Measure
 * @property {string} name
 * @property {() => number} count
 * @property {number} bound
 */

const source = /\.tsx?$/;
const anyCode = /\.[jt]sx?$/;

/** @type {(total: number, next: number) => number} */
const plus = (total, next) => total + next;

/**
 * Counts the matches of a pattern in files.
 * @param {string[]} files
 * @param {RegExp} pattern
 * @param {(path: string) => string} [textOf]
 */
const matchesIn = (files, pattern, textOf = (path) => codeOf(read(path))) =>
  files.map((file) => [...textOf(file).matchAll(pattern)].length).reduce(plus, 0);

/** @type {ReturnType<typeof measureWords>['surfaces'] | undefined} */
let surfaces;

/** @param {string} surface */
const oddUnits = (surface) => () => {
  surfaces ??= measureWords().surfaces;
  return surfaces[surface]?.percent ?? 0;
};

const newestVersion = () => read('CHANGELOG.md').split(/^## /m)[1] ?? '';

/** The words of a table cell beyond which it is a paragraph. */
const maxCellWords = 25;

const proseRows = () =>
  documents
    .flatMap((document) => textOf(document).match(/^\|.*/gm) ?? [])
    .filter((row) =>
      row
        .split(' | ')
        .some((cell) => cell.replaceAll('|', '').trim().split(/\s+/).length > maxCellWords),
    ).length;

/** Counts the casts of a file without a comment in their line or the line before, which states what guarantees them. */
const castsWithoutGuarantee = (/** @type {string} */ file) => {
  const lines = read(file).split('\n');
  return codeOf(lines.join('\n'))
    .split('\n')
    .filter((code, at) => {
      const isExplained = `${lines[at - 1]}${lines[at]}`.includes('// ');
      return /\bas (?!const\b|\w+ extends\b)[\w({[]/.test(code) && !isExplained;
    }).length;
};

const expressionsFile = 'src/platform/store/sql/expressions.ts';

const expressions = () =>
  [...read(expressionsFile).matchAll(/^export (?:const|function) (\w+)/gm)].map(
    ([, name = '']) => name,
  );

/** Counts the uses of those exports in the files that import them. */
const usesOfExpressions = () => {
  const users = filesIn(['src'], source).filter((file) => /\/expressions\.ts'/.test(read(file)));
  return matchesIn(users, new RegExp(`(?<![\\w.])(?:${expressions().join('|')})\\b(?!:)`, 'g'));
};

const code = () => filesIn(['src', 'test', 'scripts', 'bench', 'drizzle', 'examples'], anyCode);

const tests = () => filesIn(['test'], source);

/** The lines of a describe beyond which a reader loses its subject. */
const maxDescribeLines = 150;

const longDescribes = (/** @type {string} */ file) => {
  const lines = linesOf(read(file));
  return lines.filter((line, at) => {
    const [, indent] = line.match(/^( *)describe\b/) ?? [];
    if (indent === undefined) return false;
    const end = new RegExp(`^${indent}}?\\);$`);
    return lines.slice(at).findIndex((next) => end.test(next)) >= maxDescribeLines;
  }).length;
};

/** @type {Measure[]} */
export const measures = [
  ...['comment', 'markdown', 'test', 'message', 'ui'].map((surface) => ({
    name: `units of ${surface} with odd English, in percent`,
    count: oddUnits(surface),
    bound: 2,
  })),
  {
    name: 'citations of documents that do not resolve',
    count: () => citations().filter((link) => !resolves(link)).length,
    bound: 0,
  },
  { name: 'lines of the README', count: () => linesOf(read('README.md')).length, bound: 200 },
  {
    name: 'bullets of the newest version in the changelog',
    count: () => newestVersion().match(/^- /gm)?.length ?? 0,
    bound: 60,
  },
  { name: 'table rows with prose', count: proseRows, bound: 0 },
  {
    name: 'imports between rooms and their parts that run up',
    count: () => forbiddenImports().length + upwardImports().length,
    bound: 0,
  },
  { name: 'files in import cycles', count: () => filesInCycles().length, bound: 0 },
  { name: 'calls of Object()', count: () => matchesIn(code(), /(?<![\w.#])Object\(/g), bound: 0 },
  {
    name: 'casts without a stated guarantee',
    count: () => filesIn(['src'], /\.ts$/).map(castsWithoutGuarantee).reduce(plus, 0),
    bound: 0,
  },
  { name: `exports of ${expressionsFile}`, count: () => expressions().length, bound: 10 },
  { name: 'uses of these exports', count: usesOfExpressions, bound: 110 },
  {
    name: `describes over ${maxDescribeLines} lines`,
    count: () => tests().map(longDescribes).reduce(plus, 0),
    bound: 0,
  },
  {
    name: 'retries of tests',
    count: () => matchesIn([...tests(), 'vitest.config.ts'], /[{,]\s*retry: ?\d/g),
    bound: 0,
  },
  {
    name: 'tests with a stopwatch',
    count: () => matchesIn(tests(), /\b(?:performance\.now|hrtime|cpuUsage)\b/g),
    bound: 0,
  },
];
