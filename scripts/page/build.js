import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { build } from 'esbuild';

/**
 * Bundles the console page and the reference: a script and a style sheet each.
 * @param {string} folder where to
 * @returns what went into it, file by file
 */
export async function buildPage(folder) {
  const { metafile, outputFiles } = await build({
    entryPoints: {
      main: 'src/page/main.tsx',
      style: 'src/page/style/all.css',
      docs: 'src/page/docs/main.ts', // and its docs.css
    },
    outdir: folder,
    write: false,
    splitting: true, // what is imported when it is first needed
    chunkNames: '[name]-[hash]',
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
