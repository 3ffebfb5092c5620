import { describe, expect, test } from 'vitest';
import {
  edges,
  roomSizes,
  rooms,
  upwardInStore,
  upwardInWorker,
} from '../scripts/house/imports.js';

/** The largest number of files in a room that a reader can still take in. */
const maxFiles = 12;

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

  test('imports nothing of requests and resources', () => {
    const outside = edges.filter(
      ({ file, target }) =>
        file.startsWith('src/store/') && !/^src\/(store|shared|problem)/.test(target),
    );
    expect(outside).toEqual([]);
  });
});

test('the layers of the Worker import downward only', () => {
  const upward = upwardInWorker().map(({ file, target }) => `${file} -> ${target}`);
  expect(upward).toEqual([]);
});
