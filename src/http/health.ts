import { Hono } from 'hono';
import type { Service } from '../env.ts';
import { Problem } from '../problem.ts';
import { openDatabase } from '../store/database.ts';
import { newestRevision } from '../store/lookups.ts';
import { isSealingKey } from '../store/secrets.ts';
import { migrate } from './respond.ts';

/** Whether the database has its tables; an unreachable one throws. */
async function isMigrated(db: D1Database): Promise<boolean> {
  try {
    await openDatabase(db, 'first-unconstrained').batch(newestRevision());
    return true;
  } catch (error) {
    if (/no such table/i.test(String(error))) return false;
    throw error;
  }
}

/** Says without a key whether the service can work: 200, or 503 with what it lacks and how to mend that. */
export const healthRoutes = new Hono<Service>().get('/', async (c) => {
  const { DB, ROOT_API_KEY, SEALING_KEY } = c.env;
  const set = 'npx wrangler secret put';
  const lacks = [
    (await isMigrated(DB)) ? [] : `the database is not migrated (${migrate})`,
    ROOT_API_KEY ? [] : `the secret ROOT_API_KEY is not set (${set} ROOT_API_KEY)`,
    isSealingKey(SEALING_KEY)
      ? []
      : `the secret SEALING_KEY is not 32 bytes in base64 (${set} SEALING_KEY)`,
  ].flat();
  if (lacks.length > 0) throw new Problem('incomplete', `${lacks.join('; ')}.`);
  return c.json({ message: 'The service works.' });
});
