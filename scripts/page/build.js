import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build, context, stop } from 'esbuild';
import { minify } from 'terser';
import { cached } from './cache.js';

/** The bundles. They share no files, because loading shared ones would take another round trip. */
const entryPoints = {
  /** Runs before the first paint. */
  first: 'src/page/first.ts',
  main: 'src/page/main.tsx',
  style: 'src/page/style/all.css',
  /** Loaded when a user is tested. */
  evaluator: 'src/page/try/evaluator.ts',
  /** The API reference, with docs.css. */
  docs: 'src/page/docs/main.ts',
};

/**
 * Makes a folder contain exactly these files. Unchanged files are not written: a running local server watches the folder
 * and delays requests after each write.
 * @param {string} folder
 * @param {{ path: string, contents: Uint8Array }[]} wanted absolute paths
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
 * The options of esbuild.
 * @param {string} folder the output folder
 */
const optionsOf = (folder) => ({
  entryPoints,
  external: ['./evaluator.js'],
  outdir: folder,
  write: /** @type {const} */ (false),
  bundle: true,
  format: /** @type {const} */ ('esm'),
  // The first versions with popovers and Set.difference, which the page uses.
  target: ['chrome123', 'firefox127', 'safari17.5'],
  // Overrides tsconfig.json: calls of `h` are smaller.
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

/** The last minified script: an unchanged page saves most of the build time. */
const cacheFile = 'node_modules/.cache/page.json';

/** Files whose changes invalidate the cache. */
const tools = ['node_modules/terser/package.json', 'scripts/page/build.js'];

/**
 * Minifies the script with terser, which saves 3% over esbuild.
 * @param {string} script
 * @param {string} map
 * @returns {Promise<import('terser').MinifyOutput>}
 */
async function minified(script, map) {
  const hash = createHash('sha256');
  for (const tool of tools) hash.update(readFileSync(tool));
  const inputHash = hash.update(script).update(map).digest('hex');
  return cached(cacheFile, inputHash, () =>
    minify(script, {
      module: true,
      ecma: 2020,
      compress: { passes: 3 },
      sourceMap: { content: map, url: 'main.js.map' },
    }),
  );
}

/**
 * Replaces the script of the page with its minified version.
 * @param {import('esbuild').OutputFile[]} files
 * @returns {Promise<{ path: string, contents: Uint8Array }[]>}
 */
async function withSmallScript(files) {
  const textOf = (/** @type {string} */ name) =>
    files.find(({ path }) => basename(path) === name)?.text ?? '';
  const { code, map } = await minified(textOf('main.js'), textOf('main.js.map'));
  const minifiedFiles = new Map([
    ['main.js', code],
    ['main.js.map', map],
  ]);
  return files.map(({ path, contents }) => {
    const text = minifiedFiles.get(basename(path));
    return { path, contents: text ? Buffer.from(String(text)) : contents };
  });
}

/**
 * Bundles the console page and the API reference, and returns the metafile of esbuild.
 * @param {string} folder the output folder
 */
export async function buildPage(folder) {
  const { metafile, outputFiles } = await build(optionsOf(folder));
  replaceFiles(folder, await withSmallScript(outputFiles)); // a failed build keeps the last page
  return metafile;
}

/**
 * Bundles like `buildPage`, and again after each change. A failed build keeps the last page.
 * @param {string} folder the output folder
 * @returns {Promise<import('esbuild').BuildContext>} after the first build; the caller disposes it
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
            resolve(building); // esbuild reports errors itself
          }
        }),
    };
    // Without `stop`, an esbuild process that is waiting for a ping of this one would never exit.
    process.once('exit', stop);
    const building = context({ ...optionsOf(folder), plugins: [keep] });
    building.then((each) => each.watch()).catch(reject);
  });
