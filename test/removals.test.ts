import { expect, test } from 'vitest';
import { withoutEntries } from '../src/shared/overrides.ts';
import { noUnitOverrides, removeUnitOverrides } from '../src/shared/unit_overrides.ts';

const many = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => make(index));

/** Runs something that must take no longer than its size explains. */
function soon<T>(work: () => T): T {
  const began = performance.now();
  const result = work();
  expect(performance.now() - began).toBeLessThan(500);
  return result;
}

test('a removal of tens of thousands of ids is made from all overrides that it means at once', () => {
  const current = many(1000, (index) => ({
    environment: `e${index}`,
    ids: ['u-1', `other ${index}`],
  }));
  const removal = { environment: undefined, ids: many(50_000, (index) => `u-${index}`) };
  const left = soon(() => withoutEntries(current, [removal]));
  expect(left.map(({ ids }) => ids)).toEqual(many(1000, (index) => [`other ${index}`]));
});

test('a thousand removals that each mean any environment are one', () => {
  const entry = (environment: string, passingIDs: string[]) => {
    return { environment, unitID: 'userID', passingIDs, failingIDs: [] };
  };
  const overrides = {
    ...noUnitOverrides(),
    environmentOverrides: many(1000, (index) => entry(`e${index}`, [`u-${index}`, 'stays'])),
  };
  const environmentOverrides = many(1000, (index) => {
    return { unitID: 'userID', passingIDs: [`u-${index}`], failingIDs: [] };
  });
  const { overrides: left } = soon(() =>
    removeUnitOverrides({ overrides }, { environmentOverrides }),
  );
  expect(left.environmentOverrides).toEqual(many(1000, (index) => entry(`e${index}`, ['stays'])));
});
