import { beforeAll, vi } from 'vitest';
import { emptyDatabase } from './database.ts';

/** Every file starts with an empty, migrated database; within a file, factories give each thing a name of its own. */
beforeAll(emptyDatabase);

/** No test asks the network for anything. */
beforeAll(() => {
  vi.stubGlobal('fetch', async () => {
    throw new Error('no network in tests');
  });
});
