import { expect, test } from 'vitest';
import { withoutEntries } from '../../src/flags/rules/overrides.ts';
import { noUnitOverrides, removeUnitOverrides } from '../../src/flags/rules/unit_overrides.ts';
import { stepsOf } from '../support/work.ts';

const many = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => make(index));

/** Returns the result of some work, and checks that it takes fewer steps than a limit. */
async function within<T>(maxSteps: number, work: () => T): Promise<T> {
  const results: T[] = [];
  const steps = await stepsOf(() => results.push(work()));
  const [result] = results;
  if (result === undefined) throw new Error('The work has no result.');
  expect(steps).toBeLessThan(maxSteps);
  return result;
}

test('removing 50,000 IDs from 1,000 overrides takes linear work', async () => {
  const current = many(1000, (index) => ({
    environment: `e${index}`,
    ids: ['u-1', `other ${index}`],
  }));
  const removal = { environment: undefined, ids: many(50_000, (index) => `u-${index}`) };
  const left = await within(100_000, () => withoutEntries(current, [removal]));
  expect(left.map(({ ids }) => ids)).toEqual(many(1000, (index) => [`other ${index}`]));
});

test('1,000 removals for any environment are applied together', async () => {
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
  const { overrides: left } = await within(200_000, () =>
    removeUnitOverrides({ overrides }, { environmentOverrides }),
  );
  expect(left.environmentOverrides).toEqual(many(1000, (index) => entry(`e${index}`, ['stays'])));
});
