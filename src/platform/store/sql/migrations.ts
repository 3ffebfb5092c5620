import { sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { entries } from '../../../../drizzle/migrations/meta/_journal.json';

/** The table in which wrangler records applied migrations, by file name. */
export const migrations = sqliteTable('d1_migrations', { name: text() });

export const newestMigration = `${entries.at(-1)?.tag}.sql`;
