import { build } from 'esbuild';

/**
 * Bundles the console page: one script and one style sheet.
 * @param {string} folder where to
 * @returns what went into it, file by file
 */
export async function buildPage(folder) {
  const { metafile } = await build({
    entryPoints: { main: 'src/page/main.tsx', style: 'src/page/style/all.css' },
    outdir: folder,
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
  return metafile;
}
