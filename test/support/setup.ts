import { afterAll, beforeAll, expect, vi } from 'vitest';
import { watchBatches } from './batches.ts';
import { emptyDatabase } from './database.ts';

/** Every file starts with an empty, migrated database; within a file, factories give each thing a name of its own. */
beforeAll(emptyDatabase);

/** No test asks the network for anything. */
beforeAll(() => {
  vi.stubGlobal('fetch', async () => {
    throw new Error('no network in tests');
  });
});

const largest = watchBatches();

/** No batch of any test is larger than D1 is known to take. */
afterAll(() => {
  expect(largest.statements).toBeLessThanOrEqual(1000);
  expect(largest.bytes).toBeLessThanOrEqual(8_000_000);
});
