import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { strongGroups } from '../src/shared/strong_groups.ts';

/** The rooms of the store, bottom to top. `integrity` and `lists` are side by side. */
const rooms = ['sql', 'core', 'entities', 'history', 'changes', 'derived', 'integrity', 'lists'];

/** The largest number of files in a room that a reader can still take in. */
const maxFiles = 12;

const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.tsx?$/.test(path))
  .map((path) => join('src', path));

/** The files of `src` that each file imports, type imports included. */
const imports = new Map(
  files.map((file) => [
    file,
    [...readFileSync(file, 'utf8').matchAll(/\bfrom '(\.[^']+)'/g)]
      .map(([, path = '']) => join(dirname(file), path))
      .filter((path) => files.includes(path)),
  ]),
);

/** The room of a file of the store; `commit` if it lies on top of them. */
const roomOf = (file: string) => {
  const [room = '', inner] = relative('src/store', file).split('/');
  return inner === undefined ? 'commit' : room;
};

/** The imports of a part of the tree, as pairs. */
const edgesIn = (folder: string) =>
  [...imports]
    .filter(([file]) => file.startsWith(folder))
    .flatMap(([file, targets]) => targets.map((target) => ({ file, target })));

describe('the store', () => {
  const edges = edgesIn('src/store/').filter(({ target }) => target.startsWith('src/store/'));

  test('has one file beside its rooms, and at most 12 in each room', () => {
    const sizes = new Map<string, number>();
    for (const file of files.filter((path) => path.startsWith('src/store/')))
      sizes.set(roomOf(file), (sizes.get(roomOf(file)) ?? 0) + 1);
    expect([...sizes.keys()].sort()).toEqual([...rooms, 'commit'].sort());
    expect(sizes.get('commit')).toBe(1);
    for (const [room, size] of sizes) expect(size, room).toBeLessThanOrEqual(maxFiles);
  });

  test('imports only from rooms below', () => {
    const heights = [...rooms, 'commit'];
    const upward = edges.filter(({ file, target }) => {
      const [from, to] = [roomOf(file), roomOf(target)];
      const isSideways = from === 'lists' && to === 'integrity';
      return heights.indexOf(to) > heights.indexOf(from) || isSideways;
    });
    expect(upward).toEqual([]);
  });

  test('imports nothing of requests and resources', () => {
    const outside = edgesIn('src/store/').filter(
      ({ target }) => !/^src\/(store|shared|problem)/.test(target),
    );
    expect(outside).toEqual([]);
  });
});

/** The layers of the Worker, bottom to top; those in one list are side by side. */
const layers = [
  ['problem.ts'],
  ['shared'],
  ['store', 'evaluation'],
  ['env.ts'],
  ['http'],
  ['operations'],
  ['resources'],
  ['serving', 'registry.ts'],
  ['ofrep', 'sdk', 'explain'],
  ['openapi'],
  ['app.ts'],
  ['scheduled'],
  ['index.ts'],
];

test('the Worker imports nothing of the OpenAPI document', () => {
  const importers = edgesIn('src/').filter(
    ({ file, target }) => partOf(target) === 'openapi' && partOf(file) !== 'openapi',
  );
  expect(importers).toEqual([]);
});

/** Sentences of the OpenAPI document, next to the schemas that they describe. */
const isWords = (file: string) => /^src\/(resources\/\w+|explain)\/words\.ts$/.test(file);

/** The part of `src` to which a file belongs. */
const partOf = (file: string) =>
  isWords(file) ? 'openapi' : (relative('src', file).split('/')[0] ?? '');

test('the layers of the Worker import downward only', () => {
  const heightOf = (file: string) => layers.findIndex((names) => names.includes(partOf(file)));
  const upward = edgesIn('src/')
    .map((edge) => ({ ...edge, from: heightOf(edge.file), to: heightOf(edge.target) }))
    .filter(({ from, to, file, target }) => {
      const isSideways = from === to && partOf(file) !== partOf(target);
      return from >= 0 && to >= 0 && (to > from || isSideways);
    })
    .map(({ file, target }) => `${file} -> ${target}`);
  expect(upward).toEqual([]);
});

test('only the registry imports the entry of a resource', () => {
  const importers = edgesIn('src/').filter(
    ({ file, target }) =>
      /resources\/\w+\/resource\.ts$/.test(target) && file !== 'src/registry.ts',
  );
  expect(importers).toEqual([]);
});

test('no file outside the store imports itself through others', () => {
  const checked = files.filter((file) => !file.startsWith('src/store/'));
  const groups = strongGroups(
    checked.map((file) =>
      (imports.get(file) ?? [])
        .map((target) => checked.indexOf(target))
        .filter((index) => index >= 0),
    ),
  );
  const cycles = groups.filter((group) => group.length > 1);
  expect(cycles.map((group) => group.map((index) => checked[index]))).toEqual([]);
});
