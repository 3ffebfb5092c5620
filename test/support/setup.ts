import { afterAll, beforeAll, expect, vi } from 'vitest';
import { forgetCounts } from '../../src/delivery/serving/count.ts';
import { watchBatches } from './batches.ts';
import { emptyDatabase } from './database.ts';
import { restartNames } from './factories.ts';

restartNames();

/** Each file starts with an empty, migrated database. Within a file, factories use unique names. */
beforeAll(emptyDatabase);

/** No count of a file is written in the next one, also if the modules were loaded again meanwhile. */
afterAll(forgetCounts);

/** Fails each request to the network. */
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
