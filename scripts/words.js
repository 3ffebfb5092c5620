// Lists odd English in comments, Markdown, messages, texts of the page and test names. A hit is a reason to reread a
// sentence: regular expressions cannot judge English, and no hit is not a proof of good English.
import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { hitsIn, unitsOf } from './words/prose.js';

const usage = `npm run words -- [--list] [--files] [--json] [--only surface,surface] [--rule name] [--max percent] [path ...]
  --list   every hit, with its line and a hint     --files  the number of hits of each file
  --only   comment, markdown, message, ui or test  --rule   the hits of one rule
  --max    fails if more than so many percent of the units of any surface have a hit`;

/** Files without prose of their own, and those that quote odd English. */
const skipped =
  /(?:^|\/)(?:node_modules|\.wrangler|dist|assets|meta)\/|worker-configuration|package-lock|\.d\.ts$|\.snap$|docs\/writing\.md$|scripts\/words(?:\.js|\/rules\.js)$/;

/**
 * The files that git knows under some paths; all if none are given.
 * @param {string[]} paths
 */
const filesUnder = (paths) =>
  execFileSync('git', ['ls-files', '-z', ...paths], { encoding: 'utf8', maxBuffer: 1e8 })
    .split('\0')
    .filter((path) => /\.(?:md|[cm]?[jt]sx?|css|sql|toml)$/.test(path) && !skipped.test(path))
    .filter((path) => (statSync(path, { throwIfNoEntry: false })?.size ?? Infinity) <= 1_000_000);

/**
 * The units of a file with their hits, of some surfaces and one rule if those are given.
 * @param {string} path
 * @param {{ only?: string | undefined, rule?: string | undefined }} [options]
 */
const measured = (path, { only, rule } = {}) => ({
  path,
  units: unitsOf(path, readFileSync(path, 'utf8'))
    .filter(({ surface }) => !only || only.split(',').includes(surface))
    .map((unit) => ({
      ...unit,
      hits: hitsIn(unit.text).filter((hit) => !rule || hit.rule === rule),
    })),
});

/**
 * Measures the language of files.
 * @param {string[]} [paths] all files of the project if none are given
 * @param {{ only?: string | undefined, rule?: string | undefined }} [options]
 * @returns the files, and for each surface its units, those with a hit, and their share in percent
 */
export function measureWords(paths = [], options = {}) {
  const files = filesUnder(paths).map((path) => measured(path, options));
  /** @type {Record<string, { units: number, withHits: number, hits: number, percent: number }>} */
  const surfaces = {};
  for (const { surface, hits } of files.flatMap(({ units }) => units)) {
    surfaces[surface] ??= { units: 0, withHits: 0, hits: 0, percent: 0 };
    const total = surfaces[surface];
    total.units++;
    total.hits += hits.length;
    if (hits.length > 0) total.withHits++;
    total.percent = (100 * total.withHits) / total.units;
  }
  return { files, surfaces };
}

/** @param {string} line */
const print = (line) => process.stdout.write(`${line}\n`);

/** @param {ReturnType<typeof measureWords>['files']} files */
function printHits(files) {
  for (const { path, units } of files)
    for (const { line, hits } of units)
      for (const { rule, phrase, hint } of hits)
        print(`${path}:${line}: [${rule}] …${phrase}…  -> ${hint}`);
}

/**
 * @param {ReturnType<typeof measureWords>['files']} files
 * @param {number} most
 */
function printFiles(files, most) {
  const counted = files
    .map(({ path, units }) => ({ path, hits: units.flatMap(({ hits }) => hits).length }))
    .filter(({ hits }) => hits > 0)
    .sort((one, other) => other.hits - one.hits);
  for (const { path, hits } of counted.slice(0, most))
    print(`${String(hits).padStart(5)}  ${path}`);
}

function main() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      list: { type: 'boolean' },
      files: { type: 'boolean' },
      json: { type: 'boolean' },
      only: { type: 'string' },
      rule: { type: 'string' },
      max: { type: 'string' },
    },
  });
  const { files, surfaces } = measureWords(positionals, values);
  if (values.json) print(JSON.stringify({ surfaces, files }));
  else {
    if (values.list) printHits(files);
    else printFiles(files, values.files ? files.length : 20);
    for (const [name, { units, withHits, percent }] of Object.entries(surfaces))
      print(`${name.padEnd(9)} ${withHits} of ${units} units: ${percent.toFixed(1)}%`);
  }
  const max = Number(values.max ?? 100);
  if (Object.values(surfaces).some(({ percent }) => percent > max)) process.exitCode = 1;
}

if (import.meta.filename === process.argv[1]) {
  try {
    main();
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n${usage}\n`);
    process.exitCode = 1;
  }
}
