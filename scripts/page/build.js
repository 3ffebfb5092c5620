import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build, context, stop } from 'esbuild';
import { minify } from 'terser';
import { kept } from './kept.js';

/** What is loaded by itself. They share no files: the page would have to load those in one more step. */
const entryPoints = {
  /** Runs before anything is drawn. */
  first: 'src/page/first.ts',
  main: 'src/page/main.tsx',
  style: 'src/page/style/all.css',
  /** What the page imports when somebody tries something out. */
  evaluator: 'src/page/try/evaluator.ts',
  /** The reference, and its docs.css. */
  docs: 'src/page/docs/main.ts',
};

/**
 * Has a folder hold some files and no others. What is there already is left alone: a local server that runs meanwhile
 * watches the folder, and holds its requests with each file that is written.
 * @param {string} folder
 * @param {{ path: string, contents: Uint8Array }[]} wanted with absolute paths
 */
function replaceFiles(folder, wanted) {
  mkdirSync(folder, { recursive: true });
  const names = new Set(wanted.map(({ path }) => basename(path)));
  for (const name of readdirSync(folder))
    if (!names.has(name)) rmSync(join(folder, name), { recursive: true, force: true });
  for (const { path, contents } of wanted)
    if (!existsSync(path) || !readFileSync(path).equals(contents)) writeFileSync(path, contents);
}

/**
 * What is bundled, and how.
 * @param {string} folder where to
 */
const optionsOf = (folder) => ({
  entryPoints,
  external: ['./evaluator.js'],
  outdir: folder,
  write: /** @type {const} */ (false),
  bundle: true,
  format: /** @type {const} */ ('esm'),
  // From these on they have what the page uses: popovers, and the differences of sets.
  target: ['chrome123', 'firefox127', 'safari17.5'],
  // In place of tsconfig.json: calls of `h` do the same, and are smaller.
  tsconfigRaw: {
    compilerOptions: {
      jsx: /** @type {const} */ ('react'),
      jsxFactory: 'h',
      jsxFragmentFactory: 'Fragment',
    },
  },
  inject: ['src/page/elements.ts'],
  minify: true,
  sourcemap: /** @type {const} */ ('linked'),
  metafile: /** @type {const} */ (true),
  logLevel: /** @type {const} */ ('warning'),
});

/** What was made of the last script: for a page that is as it was, that saves most of the time of a build. */
const last = 'node_modules/.cache/page.json';

/** What makes it; another version makes something else, and so do other options. */
const makers = ['node_modules/terser/package.json', 'scripts/page/build.js'];

/**
 * Makes a script smaller than the bundler does, which leaves 3 % less to load.
 * @param {string} script
 * @param {string} map
 * @returns {Promise<import('terser').MinifyOutput>}
 */
async function minified(script, map) {
  const hash = createHash('sha256');
  for (const maker of makers) hash.update(readFileSync(maker));
  const of = hash.update(script).update(map).digest('hex');
  return kept(last, of, () =>
    minify(script, {
      module: true,
      ecma: 2020,
      compress: { passes: 3 },
      sourceMap: { content: map, url: 'main.js.map' },
    }),
  );
}

/**
 * @param {import('esbuild').OutputFile[]} files all that was bundled
 * @returns {Promise<{ path: string, contents: Uint8Array }[]>} the same, with a smaller script of the page
 */
async function withSmallScript(files) {
  const textOf = (/** @type {string} */ name) =>
    files.find(({ path }) => basename(path) === name)?.text ?? '';
  const { code, map } = await minified(textOf('main.js'), textOf('main.js.map'));
  const made = new Map([
    ['main.js', code],
    ['main.js.map', map],
  ]);
  return files.map(({ path, contents }) => {
    const text = made.get(basename(path));
    return { path, contents: text ? Buffer.from(String(text)) : contents };
  });
}

/**
 * Bundles the console page and the reference.
 * @param {string} folder where to
 * @returns what went into it, file by file
 */
export async function buildPage(folder) {
  const { metafile, outputFiles } = await build(optionsOf(folder));
  replaceFiles(folder, await withSmallScript(outputFiles)); // Only now, so that a build that fails leaves the last page as it is.
  return metafile;
}

/**
 * Bundles them as `buildPage` does, and again with each change. A build that fails says so, and leaves the last page as it
 * is.
 * @param {string} folder where to
 * @returns {Promise<import('esbuild').BuildContext>} once they were bundled for the first time; to be disposed, where the
 *   process goes on without it
 */
export const watchPage = (folder) =>
  new Promise((resolve, reject) => {
    /** @type {import('esbuild').Plugin} */
    const keep = {
      name: 'keep',
      setup: ({ onEnd }) =>
        onEnd(async ({ errors, outputFiles = [] }) => {
          try {
            if (errors.length === 0) replaceFiles(folder, await withSmallScript(outputFiles));
          } finally {
            resolve(building); // what failed, esbuild says
          }
        }),
    };
    // esbuild, while it waits for an answer to whether its process is still there, would outlive it for good.
    process.once('exit', stop);
    const building = context({ ...optionsOf(folder), plugins: [keep] });
    building.then((each) => each.watch()).catch(reject);
  });
