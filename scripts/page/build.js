import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build } from 'esbuild';

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
    if (!names.has(name)) rmSync(join(folder, name), { recursive: true });
  for (const { path, contents } of wanted)
    if (!existsSync(path) || !readFileSync(path).equals(contents)) writeFileSync(path, contents);
}

/**
 * Bundles the console page and the reference.
 * @param {string} folder where to
 * @returns what went into it, file by file
 */
export async function buildPage(folder) {
  const { metafile, outputFiles } = await build({
    entryPoints,
    external: ['./evaluator.js'],
    outdir: folder,
    write: false,
    bundle: true,
    format: 'esm',
    target: ['chrome123', 'firefox121', 'safari17.5'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    minify: true,
    sourcemap: 'linked',
    metafile: true,
    logLevel: 'warning',
  });
  replaceFiles(folder, outputFiles); // Only now, so that a build that fails leaves the last page as it is.
  return metafile;
}
