import { sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { entries } from '../../../drizzle/migrations/meta/_journal.json';

/** Where wrangler notes the migrations that were applied, by their files. */
export const migrations = sqliteTable('d1_migrations', { name: text() });

/** The newest migration that this code knows. */
export const newestMigration = `${entries.at(-1)?.tag}.sql`;
