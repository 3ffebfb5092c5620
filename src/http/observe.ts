import type { MiddlewareHandler } from 'hono';
import { version } from '../../package.json';
import type { Service } from '../env.ts';
import { Problem } from '../problem.ts';
import { type Meter, openDatabase } from '../store/sql/database.ts';
import { isRead } from './methods.ts';
import { onError } from './respond.ts';

/** The release, which every response names in `API-Version`. */
export const apiVersion = version;

/** What a request cost the database, as Server-Timing. */
export const serverTiming = ({ trips, rowsRead, rowsWritten, milliseconds }: Meter) =>
  [
    `trips;desc="${trips}"`,
    `rows_read;desc="${rowsRead}"`,
    `rows_written;desc="${rowsWritten}"`,
    `db;dur=${milliseconds.toFixed(1)}`,
  ].join(', ');

const isBookmark = (text: string) => /^[0-9a-f]+(-[0-9a-f]+){3}$/.test(text);

/**
 * Opens the request's database session, and says in each answer what it cost and how far it has seen.
 * A reader who sends `D1-Bookmark` back sees at least that state; reads without one may use a replica. Changes read the
 * primary, which has seen every bookmark: of a replica they could be refused for what is no longer so.
 */
export const observe: MiddlewareHandler<Service> = async (c, next) => {
  const given = c.req.header('D1-Bookmark');
  const start = given !== undefined && isBookmark(given) ? given : undefined;
  const db = openDatabase(c.env.DB, isRead(c) ? (start ?? 'first-unconstrained') : 'first-primary');
  c.set('db', db);
  if (given === start) await next();
  else c.res = onError(malformed, c);
  const bookmark = db.bookmark();
  const { headers } = c.res; // `c.header` would make the whole answer again for each of them
  if (bookmark) headers.set('D1-Bookmark', bookmark);
  headers.set('Server-Timing', serverTiming(db.meter));
  headers.set('API-Version', apiVersion);
  headers.set('X-Request-Id', c.get('requestId'));
  // What stands between takes an answer for one to be shared: it does not know the header of the key.
  if (!headers.has('Cache-Control')) headers.set('Cache-Control', 'private, no-cache');
};

const malformed = Problem.property('D1-Bookmark', 'must be the D1-Bookmark of an earlier answer');
