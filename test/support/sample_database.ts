import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { prepareDatabase } from '../../scripts/dev/prepare.js';
import { makeVariables } from '../../scripts/dev/variables.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** A folder with the database of the sample project, to copy. */
    sampleFolder: string;
  }
}

/** Creates the database of the sample project once for all tests. */
export default async function setup({ provide }: TestProject) {
  makeVariables('.'); // a new clone has no .dev.vars
  const folder = mkdtempSync(join(tmpdir(), 'sample-'));
  await prepareDatabase(folder);
  provide('sampleFolder', folder);
  return () => rmSync(folder, { recursive: true, force: true });
}

/** Returns a new folder with a copy of the database. */
export function copyOf(sampleFolder: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'copy-'));
  cpSync(sampleFolder, folder, { recursive: true });
  return folder;
}
