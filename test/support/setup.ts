import { beforeAll } from 'vitest';
import { emptyDatabase } from './client.ts';

/** Every file starts with an empty, migrated database; within a file, factories give each thing a name of its own. */
beforeAll(emptyDatabase);
