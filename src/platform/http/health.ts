import { eq } from 'drizzle-orm';
import { Hono } from 'hono';
import { Problem } from '../../base/problem.ts';
import { isSealingKey } from '../../base/sealing.ts';
import type { Service } from '../env.ts';
import { isUnmigrated, openDatabase } from '../store/sql/database.ts';
import { migrations, newestMigration } from '../store/sql/migrations.ts';
import { compileQuery, query } from '../store/sql/statement.ts';
import { isRootKey, rootKeyFault } from './authenticate.ts';
import { migrateCommand, setSecretCommand } from './respond.ts';

const newest = compileQuery(
  query.select().from(migrations).where(eq(migrations.name, newestMigration)),
);

async function isMigrated(db: D1Database): Promise<boolean> {
  try {
    const [[applied]] = await openDatabase(db, 'first-unconstrained').batch(newest());
    return applied !== undefined;
  } catch (error) {
    if (isUnmigrated(error)) return false;
    throw error;
  }
}

/** Responds 200 without a key if the service can work, or 503 with each missing part and the command that adds it. */
export const healthRoutes = new Hono<Service>().get('/', async (c) => {
  const { DB, ROOT_API_KEY, SEALING_KEY } = c.env;
  const lacks = [
    (await isMigrated(DB)) ? [] : `the database is not migrated: ${migrateCommand}`,
    isRootKey(ROOT_API_KEY) ? [] : rootKeyFault,
    isSealingKey(SEALING_KEY)
      ? []
      : `the secret SEALING_KEY is not 32 bytes in base64: ${setSecretCommand('SEALING_KEY')}`,
  ].flat();
  if (lacks.length > 0) throw new Problem('incomplete', `${lacks.join('; ')}.`);
  return c.json({ message: 'The service works.' });
});
