import { dirname, join, relative } from 'node:path';
import { filesIn, read } from './files.js';

/** @typedef {{ file: string, target: string }} Edge */

/** The rooms of the store, bottom to top; `commit` is the file on top of them. */
export const rooms = [
  ...['sql', 'core', 'entities', 'history', 'changes', 'derived', 'integrity', 'lists'],
  'commit',
];

/** The layers of the Worker, bottom to top; those in one list are side by side. */
const layers = [
  ['problem.ts'],
  ['shared'],
  ['store', 'evaluation', 'statistics'],
  ['env.ts'],
  ['http'],
  ['operations'],
  ['resources'],
  ['serving', 'analysis', 'registry.ts'],
  ['learning', 'results'],
  ['ofrep', 'sdk', 'explain'],
  ['openapi'],
  ['app.ts'],
  ['scheduled'],
  ['index.ts'],
];

/** The files of `src`. */
export const files = filesIn(['src'], /\.tsx?$/);

/** The files of `src` that each file imports, type imports included. */
const imports = new Map(
  files.map((file) => [
    file,
    [...read(file).matchAll(/\bfrom '(\.[^']+)'/g)]
      .map(([, path = '']) => join(dirname(file), path))
      .filter((path) => files.includes(path)),
  ]),
);

/** The imports within `src`. */
export const edges = [...imports].flatMap(([file, targets]) =>
  targets.map((target) => ({ file, target })),
);

/**
 * Returns the room of a file of the store.
 * @param {string} file
 */
const roomOf = (file) => {
  const [room = '', inner] = relative('src/platform/store', file).split('/');
  return inner === undefined ? 'commit' : room;
};

/** Returns the number of files of each room of the store. */
export function roomSizes() {
  /** @type {Map<string, number>} */
  const sizes = new Map();
  for (const file of files.filter((path) => path.startsWith('src/platform/store/')))
    sizes.set(roomOf(file), (sizes.get(roomOf(file)) ?? 0) + 1);
  return sizes;
}

/** @param {Edge} edge */
const isInStore = ({ file, target }) =>
  file.startsWith('src/platform/store/') && target.startsWith('src/platform/store/');

/** Returns the imports of a room of the store from a room above it; `integrity` and `lists` are side by side. */
export const upwardInStore = () =>
  edges.filter(isInStore).filter(({ file, target }) => {
    const [from, to] = [roomOf(file), roomOf(target)];
    return rooms.indexOf(to) > rooms.indexOf(from) || (from === 'lists' && to === 'integrity');
  });

/**
 * Whether a file holds sentences of the OpenAPI document, next to the schemas that they describe.
 * @param {string} file
 */
const isWords = (file) => /^src\/(resources\/\w+|results|explain)\/words\.ts$/.test(file);

/**
 * Returns the layer of the Worker to which a file belongs.
 * @param {string} file
 */
export const layerOf = (file) =>
  isWords(file) ? 'openapi' : (relative('src', file).split('/')[0] ?? '');

/** @param {string} file */
const heightOf = (file) => layers.findIndex((names) => names.includes(layerOf(file)));

/** Returns the imports of a layer from another one above it or at its side. */
export const upwardInWorker = () =>
  edges.filter(({ file, target }) => {
    const [from, to] = [heightOf(file), heightOf(target)];
    const isSideways = from === to && layerOf(file) !== layerOf(target);
    return from >= 0 && to >= 0 && (to > from || isSideways);
  });

/**
 * Returns the files that a file imports, directly or through others, type imports included.
 * @param {string} file
 */
export function reachedFrom(file) {
  const reached = new Set(imports.get(file));
  for (const target of reached) // grows while it is walked
    for (const next of imports.get(target) ?? []) reached.add(next);
  return reached;
}

/**
 * Returns the files of `src` that a file loads at its start: imports of types alone are left out.
 * @param {string} file
 */
export const valueImports = (file) =>
  [...read(file).matchAll(/^(?:import|export)(?! type)[^;]*? from '(\.[^']+)';/gm)]
    .map(([, path = '']) => join(dirname(file), path))
    .filter((path) => files.includes(path));

/** Returns the files of `src` that are in an import cycle. */
export const filesInCycles = () => files.filter((file) => reachedFrom(file).has(file));
