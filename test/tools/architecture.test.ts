import { readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  type Edge,
  edges,
  files,
  filesInCycles,
  reachedFrom,
  valueImports,
} from '../../scripts/house/imports.js';
import {
  doors,
  folderSizes,
  forbiddenImports,
  missingParts,
  upwardImports,
} from '../../scripts/house/rooms.js';

/** Whether a file is the entry of a resource. */
const isEntry = (file: string) => /\/resource\.ts$/.test(file) && !file.startsWith('src/platform/');

/** Words that the store has meanings of its own for. */
const commonWords = [
  'change',
  'connection',
  'event',
  'key',
  'release',
  'tag',
  'team',
  'transfer',
  'user',
];

/** The file of the store that lists the properties of the API in which entities mention names. */
const propertiesOfNames = 'src/platform/store/core/name_fields.ts';

/** The names of resources with one word, in the singular and the plural. */
const resourceWords = new Set(
  files
    .filter(isEntry)
    .map((file) => basename(dirname(file)))
    .filter((folder) => /^[a-z]+$/.test(folder))
    .map((folder) => folder.replace(/s$/, ''))
    .filter((word) => !commonWords.includes(word))
    .flatMap((word) => [word, `${word}s`]),
);

/** Returns the words of a file's code without comments; the words of an identifier apart. */
const wordsIn = (file: string): string[] =>
  readFileSync(file, 'utf8')
    .replaceAll(/\/\*.*?\*\/|\/\/.*$/gms, '')
    .match(/[A-Z]?[a-z]+/g)
    ?.map((word) => word.toLowerCase()) ?? [];

const inWords = (found: readonly Edge[]) => found.map(({ file, target }) => `${file} -> ${target}`);

describe('the rooms', () => {
  test('import only the rooms that they may', () => {
    expect(inWords(forbiddenImports())).toEqual([]);
  });

  test('have no part that imports from one above it', () => {
    expect(missingParts()).toEqual([]);
    expect(inWords(upwardImports())).toEqual([]);
  });

  test.each(doors())('$room has at most $most doors', ({ count, most }) => {
    expect(count).toBeLessThanOrEqual(most);
  });

  test('have at most 12 files in a folder, except those to be split, which grow no further', () => {
    expect(folderSizes().filter(({ count, most }) => count > most)).toEqual([]);
  });
});

test('no file imports itself through others', () => {
  expect(filesInCycles()).toEqual([]);
});

describe('the store', () => {
  test('has one file beside its rooms', () => {
    const beside = files.filter((file) => /^src\/platform\/store\/[^/]+$/.test(file));
    expect(beside).toEqual(['src/platform/store/commit.ts']);
  });

  test('imports no hook in its reads and its transaction', () => {
    const hooks = 'src/platform/store/core/hooks.ts';
    for (const file of [
      'src/platform/store/core/reads.ts',
      'src/platform/store/core/transaction.ts',
    ])
      expect(reachedFrom(file).has(hooks), file).toBe(false);
  });

  test('names no resource in its code', () => {
    const named = files
      .filter((file) => file.startsWith('src/platform/store/') && file !== propertiesOfNames)
      .flatMap((file) => wordsIn(file).filter((word) => resourceWords.has(word)));
    expect(named).toEqual([]);
  });

  test('has at most 10 helpers for SQL, so that statements are written as SQL', () => {
    const helpers = readFileSync('src/platform/store/sql/expressions.ts', 'utf8').match(
      /^export /gm,
    );
    expect(helpers?.length).toBeLessThanOrEqual(10);
  });

  test('imports nothing of requests and resources', () => {
    const outside = edges.filter(
      ({ file, target }) =>
        file.startsWith('src/platform/store/') && !/^src\/(platform\/store|base)\//.test(target),
    );
    expect(outside).toEqual([]);
  });
});

/** Whether a file makes the OpenAPI document, or holds its sentences. */
const isOfDocument = (file: string) =>
  /^src\/(?:platform\/openapi\/|(?!page\/).*\/words\.ts$)/.test(file);

test('the Worker imports nothing of the OpenAPI document', () => {
  const importers = edges.filter(({ file, target }) => isOfDocument(target) && !isOfDocument(file));
  expect(importers).toEqual([]);
});

test('only the registry imports the entry of a resource', () => {
  const importers = edges.filter(
    ({ file, target }) => isEntry(target) && file !== 'src/registry.ts',
  );
  expect(importers).toEqual([]);
});

test('statistics import nothing but shared code and packages of functions', () => {
  const outside = edges.filter(
    ({ file, target }) =>
      file.startsWith('src/engine/statistics/') &&
      !/^src\/(engine\/statistics|base)\//.test(target),
  );
  expect(outside).toEqual([]);
});

test('the Worker starts without the distribution functions, which are loaded on demand', () => {
  const started = new Set(['src/index.ts']);
  for (const file of started) for (const target of valueImports(file)) started.add(target);
  expect(started).toContain('src/experiments/experiments/checks/health.ts');
  expect(started).not.toContain('src/engine/statistics/distributions.ts');
});
