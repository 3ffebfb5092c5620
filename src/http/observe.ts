import type { Context, MiddlewareHandler } from 'hono';
import type { Service } from '../env.ts';
import { type Meter, openDatabase } from '../store/database.ts';
import { Problem } from './problem.ts';

/** The build that answers; one up with each release (completions, section 3). */
const apiVersion = '1.0.0';

const serverTiming = ({ trips, rowsRead, rowsWritten, milliseconds }: Meter) =>
  [
    `trips;desc="${trips}"`,
    `rows_read;desc="${rowsRead}"`,
    `rows_written;desc="${rowsWritten}"`,
    `db;dur=${milliseconds.toFixed(1)}`,
  ].join(', ');

/** The bookmark that a request sends back. */
function bookmarkOf(c: Context): string | undefined {
  const bookmark = c.req.header('D1-Bookmark');
  if (bookmark !== undefined && !/^[0-9a-f]+(-[0-9a-f]+){3}$/.test(bookmark))
    throw Problem.property('D1-Bookmark', 'must be the D1-Bookmark of an earlier answer');
  return bookmark;
}

/**
 * Opens the request's database session, and says in each answer what it cost and how far it has seen.
 * A reader who sends `D1-Bookmark` back sees at least that state; reads without one may use a replica.
 */
export const observe: MiddlewareHandler<Service> = async (c, next) => {
  const reads = c.req.method === 'GET' || c.req.method === 'HEAD';
  const start = bookmarkOf(c) ?? (reads ? 'first-unconstrained' : 'first-primary');
  const db = openDatabase(c.env.DB, start);
  c.set('db', db);
  await next();
  const bookmark = db.bookmark();
  if (bookmark) c.header('D1-Bookmark', bookmark);
  c.header('Server-Timing', serverTiming(db.meter));
  c.header('API-Version', apiVersion);
  c.header('X-Request-Id', c.get('requestId'));
};
