import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';

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
  ['store', 'evaluation', 'statistics'],
  ['env.ts'],
  ['http'],
  ['operations'],
  ['resources'],
  ['serving', 'analysis'],
  ['ofrep', 'sdk', 'explain', 'openapi'],
  ['app.ts'],
  ['scheduled'],
  ['index.ts'],
];

test('the layers of the Worker import downward only', () => {
  const heightOf = (file: string) =>
    layers.findIndex((names) => names.includes(relative('src', file).split('/')[0] ?? ''));
  const upward = edgesIn('src/')
    .map((edge) => ({ ...edge, from: heightOf(edge.file), to: heightOf(edge.target) }))
    .filter(({ from, to, file, target }) => {
      const isSideways =
        from === to && dirname(file).split('/')[1] !== dirname(target).split('/')[1];
      return from >= 0 && to >= 0 && (to > from || isSideways);
    })
    .map(({ file, target }) => `${file} -> ${target}`);
  expect(upward).toEqual([]);
});
