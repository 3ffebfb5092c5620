import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { rolldown } from 'rolldown';
import { viteImportGlobPlugin } from 'rolldown/experimental';
import type { Plugin } from 'vitest/config';
import type { TestProject } from 'vitest/node';

/** Modules of the runtime and of vitest, and files that Vite turns into text. */
const loadedByVite = /^(cloudflare:|node:|vitest$)|\?raw$/;

const cache = 'node_modules/.cache';

/** Matches the files of bundles, which the runtime loads without Vite. */
export const bundledFiles = `**/${cache}/worker-*/**/*.mjs`;

/** The only importer of the second copy of the Worker. */
const secondImporter = resolve('test/support/second_isolate.ts');

/** Returns the path of a module in the project, or the name of its package. */
const nameOf = (id: string, importer: string): string =>
  /^[./]/.test(id) ? relative('.', resolve(dirname(importer), id)) : id;

/** Returns the modules outside `test` that some files in it import, directly or through other files in it. */
async function importsOf(files: string[]): Promise<string[]> {
  const found = new Set<string>();
  const isOutside = (id: string, importer: string | undefined, isResolved: boolean): boolean => {
    if (!importer || isResolved) return false;
    if (loadedByVite.test(id)) return true;
    const name = nameOf(id, importer);
    if (name.startsWith('test/')) return false;
    found.add(name);
    return true;
  };
  const scan = await rolldown({ input: files, external: isOutside, logLevel: 'silent' });
  await scan.generate();
  await scan.close();
  return [...found];
}

const fileOf = (name: string) => name.replaceAll('/', '-');

/** Writes some modules and all that they import as one file, and for each module a short file that exports from it. */
async function writeBundle(names: string[], dir: string): Promise<void> {
  const build = await rolldown({
    input: Object.fromEntries(
      names.map((name) => [fileOf(name), existsSync(name) ? resolve(name) : name]),
    ),
    external: loadedByVite,
    plugins: [viteImportGlobPlugin()],
    platform: 'browser',
    preserveEntrySignatures: 'strict',
    resolve: { conditionNames: ['workerd', 'worker', 'module', 'browser'] },
    logLevel: 'silent',
  });
  await build.write({
    dir,
    entryFileNames: '[name].mjs',
    chunkFileNames: '[name].mjs',
    codeSplitting: { groups: [{ name: 'all', test: /./ }] },
  });
  await build.close();
}

/** Bundles what the tests of a project import, twice, and returns the names of the modules. */
async function bundle(project: TestProject, folder: string): Promise<Set<string>> {
  const { testFiles } = await project.globTestFiles();
  const names = await importsOf([...testFiles, ...project.config.setupFiles]);
  await writeBundle(names, join(folder, 'first'));
  cpSync(join(folder, 'first'), join(folder, 'second'), { recursive: true });
  return new Set(names);
}

/** Lets tests load the Worker and all packages as one file instead of six hundred. */
export function asOneFile(): Plugin {
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(resolve(cache, 'worker-'));
  let bundled: Promise<Set<string>>;
  return {
    name: 'one-file',
    enforce: 'pre',
    configureVitest({ project }) {
      bundled = bundle(project, folder);
    },
    async resolveId(id, importer) {
      const name = importer ? nameOf(id, importer) : '';
      if (!(await bundled)?.has(name)) return;
      return join(folder, importer === secondImporter ? 'second' : 'first', `${fileOf(name)}.mjs`);
    },
    closeBundle() {
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
