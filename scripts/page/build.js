import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { build, context, stop } from 'esbuild';
import { rolldown, watch } from 'rolldown';
import { minify } from 'terser';
import { cached } from './cache.js';

/** @typedef {{ path: string, contents: Uint8Array }} File with an absolute path */

// The first versions with popovers and Set.difference, which the page uses.
const target = ['chrome123', 'firefox127', 'safari17.5'];

/**
 * The bundles of esbuild. They share no files with the page.
 * @param {string} folder the output folder
 */
const assets = (folder) => ({
  entryPoints: {
    /** Runs before the first paint. */
    first: 'src/page/first.ts',
    style: 'src/page/style/all.css',
    /** Loaded with the scripts `charts` and `results`. */
    results: 'src/page/style/results.css',
    /** Loaded when a user is tested. */
    evaluator: 'src/page/try/evaluator.ts',
    /** The API reference, with docs.css. */
    docs: 'src/page/docs/main.ts',
  },
  outdir: folder,
  write: /** @type {const} */ (false),
  bundle: true,
  format: /** @type {const} */ ('esm'),
  target,
  minify: true,
  sourcemap: /** @type {const} */ ('linked'),
  logLevel: /** @type {const} */ ('warning'),
});

/**
 * The page. Rolldown lets scripts that are loaded later import what they share from main.js itself, so that the first
 * visit loads one script. Calls of `h` are smaller than those of the automatic runtime.
 * @satisfies {import('rolldown').InputOptions}
 */
const page = {
  input: { main: 'src/page/main.tsx' },
  external: ['./evaluator.js'],
  // The evaluator is next to main.js, not in the folder of the module that imports it.
  makeAbsoluteExternalsRelative: false,
  platform: /** @type {const} */ ('browser'),
  preserveEntrySignatures: /** @type {const} */ ('allow-extension'),
  transform: {
    target,
    jsx: { runtime: /** @type {const} */ ('classic'), pragma: 'h', pragmaFrag: 'Fragment' },
    inject: { h: ['preact', 'h'], Fragment: ['preact', 'Fragment'] },
  },
};

/** @satisfies {import('rolldown').OutputOptions} */
const output = {
  format: /** @type {const} */ ('esm'),
  /** @param {import('rolldown').PreRenderedChunk} chunk named after its folder if its file is `chunk.ts` */
  chunkFileNames: ({ name, facadeModuleId }) =>
    name === 'chunk' && facadeModuleId ? `${basename(dirname(facadeModuleId))}.js` : '[name].js',
  codeSplitting: {
    includeDependenciesRecursively: false,
    groups: [
      // Home needs no axes, so it does without d3.
      { name: 'marks', test: /src\/page\/charts\/(format|mini|sign|verdict_sign)\./ },
      { name: 'charts', test: /src\/page\/charts\/|node_modules\/(d3-|internmap)/ },
      // Otherwise what several scripts share has a file of its own, which the first visit would load after main.js.
      { name: 'main', tags: ['$initial'] },
    ],
  },
  minify: true,
  sourcemap: true,
};

/**
 * Makes a folder contain exactly these files. Unchanged files are not written: a running local server watches the folder
 * and delays requests after each write.
 * @param {string} folder
 * @param {File[]} wanted
 */
function replaceFiles(folder, wanted) {
  mkdirSync(folder, { recursive: true });
  const names = new Set(wanted.map(({ path }) => basename(path)));
  for (const name of readdirSync(folder))
    if (!names.has(name)) rmSync(join(folder, name), { recursive: true, force: true });
  for (const { path, contents } of wanted)
    if (!existsSync(path) || !readFileSync(path).equals(contents)) writeFileSync(path, contents);
}

/** The last minified scripts: an unchanged page saves most of the build time. */
const cacheFolder = 'node_modules/.cache/page';

/** Files whose changes invalidate the cache. */
const tools = ['node_modules/terser/package.json', 'scripts/page/build.js'];

/**
 * Minifies a script with terser, which saves 3%.
 * @param {string} name
 * @param {string} script
 * @param {string} map
 * @returns {Promise<import('terser').MinifyOutput>}
 */
async function minified(name, script, map) {
  const hash = createHash('sha256');
  for (const tool of tools) hash.update(readFileSync(tool));
  const inputHash = hash.update(script).update(map).digest('hex');
  return cached(join(cacheFolder, `${name}.json`), inputHash, () =>
    minify(script, {
      module: true,
      ecma: 2020,
      compress: { passes: 3 },
      sourceMap: { content: map, url: `${name}.map` },
    }),
  );
}

/**
 * Returns the scripts of the page, and the paths of the modules in them.
 * @param {string} folder the output folder
 */
async function buildScripts(folder) {
  const bundle = await rolldown(page);
  const { output: outputs } = await bundle.generate(output);
  await bundle.close();
  const chunks = outputs.filter((one) => one.type === 'chunk');
  const files = await Promise.all(
    chunks.map(async ({ fileName, code: script, map: scriptMap }) => {
      const { code, map } = await minified(fileName, script, String(scriptMap));
      return [
        { path: resolve(folder, fileName), contents: Buffer.from(String(code)) },
        { path: resolve(folder, `${fileName}.map`), contents: Buffer.from(String(map)) },
      ];
    }),
  );
  return { files: files.flat(), modules: chunks.flatMap(({ moduleIds }) => moduleIds) };
}

/**
 * Bundles the console page and the API reference.
 * @param {string} folder the output folder
 * @returns {Promise<string[]>} the paths of the modules in the scripts of the page
 */
export async function buildPage(folder) {
  const [{ files, modules }, { outputFiles }] = await Promise.all([
    buildScripts(folder),
    build(assets(folder)),
  ]);
  replaceFiles(folder, [...files, ...outputFiles]); // a failed build keeps the last page
  return modules;
}

/**
 * Bundles like `buildPage`, and again after each change. A failed build keeps the last page.
 * @param {string} folder the output folder
 * @returns {Promise<{ dispose(): Promise<void> }>} after the first build; the caller disposes it
 */
export async function watchPage(folder) {
  /** @type {{ page?: File[], assets?: File[] }} */
  const last = {};
  /** @param {Partial<typeof last>} files */
  const replace = (files) => {
    Object.assign(last, files);
    if (last.page && last.assets) replaceFiles(folder, [...last.page, ...last.assets]);
  };
  /** @type {import('esbuild').Plugin} */
  const keep = {
    name: 'keep',
    setup: ({ onEnd }) =>
      onEnd(({ errors, outputFiles = [] }) => {
        if (errors.length === 0) replace({ assets: outputFiles }); // esbuild reports errors itself
      }),
  };
  // Without `stop`, an esbuild process that is waiting for a ping of this one would never exit.
  process.once('exit', stop);
  const assetsContext = await context({ ...assets(folder), plugins: [keep] });
  await assetsContext.rebuild().catch(() => undefined);
  await assetsContext.watch();
  const watcher = watch({ ...page, output, watch: { skipWrite: true } });
  await new Promise((done) => {
    watcher.on('event', async (event) => {
      if (event.code === 'ERROR') console.error(event.error.message);
      if (event.code === 'BUNDLE_END') {
        await event.result.close();
        replace({ page: (await buildScripts(folder)).files });
      }
      if (event.code === 'BUNDLE_END' || event.code === 'ERROR') done(undefined);
    });
  });
  return {
    dispose: async () => {
      await Promise.all([assetsContext.dispose(), watcher.close()]);
    },
  };
}
