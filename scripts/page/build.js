import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
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
  // Only now, so that a build that fails leaves the last page as it is.
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const { path, contents } of outputFiles) writeFileSync(path, contents);
  return metafile;
}
