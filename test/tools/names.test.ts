import { expect, test } from 'vitest';
import { sharedNames, sides } from '../../scripts/house/names.js';

const sorts = ['functions', 'types'] as const;
const all = sides.flatMap((side) => sorts.map((sort) => ({ side, sort })));

test.each(all)('fewer than 5% of the $sort of the $side share a name', ({ side, sort }) => {
  const { percent, shared } = sharedNames(side, sort);
  expect(percent, shared.join('\n')).toBeLessThan(5);
});

test.each(all)('no two files of the $side export $sort with one name', ({ side, sort }) => {
  expect(sharedNames(side, sort).exportedTwice).toEqual([]);
});
