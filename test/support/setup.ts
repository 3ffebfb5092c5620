import { beforeAll, vi } from 'vitest';
import { emptyDatabase } from './database.ts';

/** Each file starts with an empty, migrated database. Within a file, factories use unique names. */
beforeAll(emptyDatabase);

/** Fails each request to the network. */
beforeAll(() => {
  vi.stubGlobal('fetch', async () => {
    throw new Error('no network in tests');
  });
});
