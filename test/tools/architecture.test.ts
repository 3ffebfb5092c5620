import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  edges,
  files,
  filesInCycles,
  layerOf,
  reachedFrom,
  roomSizes,
  rooms,
  upwardInStore,
  upwardInWorker,
  valueImports,
} from '../../scripts/house/imports.js';

/** The largest number of files in a room that a reader can still take in. */
const maxFiles = 12;

/** Words that the store has meanings of its own for. */
const commonWords = ['change', 'event', 'key', 'tag', 'team', 'transfer', 'user'];

/** The names of resources with one word, in the singular and the plural. */
const resourceWords = new Set(
  readdirSync('src/resources')
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

describe('the store', () => {
  test('has one file beside its rooms, and at most 12 in each room', () => {
    const sizes = roomSizes();
    expect([...sizes.keys()].sort()).toEqual(rooms.toSorted());
    expect(sizes.get('commit')).toBe(1);
    for (const [room, size] of sizes) expect(size, room).toBeLessThanOrEqual(maxFiles);
  });

  test('imports only from rooms below', () => {
    expect(upwardInStore()).toEqual([]);
  });

  test('has no file that imports itself over others', () => {
    expect(filesInCycles().filter((file) => file.startsWith('src/platform/store/'))).toEqual([]);
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
      .filter((file) => file.startsWith('src/platform/store/'))
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
        file.startsWith('src/platform/store/') && !/^src\/(store|shared|problem)/.test(target),
    );
    expect(outside).toEqual([]);
  });
});

test('the Worker imports nothing of the OpenAPI document', () => {
  const importers = edges.filter(
    ({ file, target }) => layerOf(target) === 'openapi' && layerOf(file) !== 'openapi',
  );
  expect(importers).toEqual([]);
});

test('only the registry imports the entry of a resource', () => {
  const importers = edges.filter(
    ({ file, target }) =>
      /resources\/\w+\/resource\.ts$/.test(target) && file !== 'src/registry.ts',
  );
  expect(importers).toEqual([]);
});

test('no file outside the store imports itself through others', () => {
  expect(filesInCycles().filter((file) => !file.startsWith('src/platform/store/'))).toEqual([]);
});

test('statistics import nothing but shared code and packages of functions', () => {
  const outside = edges.filter(
    ({ file, target }) =>
      file.startsWith('src/engine/statistics/') && !/^src\/(statistics|shared)\//.test(target),
  );
  expect(outside).toEqual([]);
});

test('the Worker starts without the distribution functions, which are loaded on demand', () => {
  const started = new Set(['src/index.ts']);
  for (const file of started) for (const target of valueImports(file)) started.add(target);
  expect(started).toContain('src/experiments/experiments/health.ts');
  expect(started).not.toContain('src/engine/statistics/distributions.ts');
});

test('the layers of the Worker import downward only', () => {
  const upward = upwardInWorker().map(({ file, target }) => `${file} -> ${target}`);
  expect(upward).toEqual([]);
});
