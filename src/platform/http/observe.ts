import type { MiddlewareHandler } from 'hono';
import { version } from '../../../package.json';
import { Problem } from '../../base/problem.ts';
import type { Service } from '../env.ts';
import { type Meter, openDatabase } from '../store/sql/database.ts';
import { isRead } from './methods.ts';
import { onError } from './respond.ts';

export const apiVersion = version;

export const serverTiming = ({ trips, rowsRead, rowsWritten, milliseconds }: Meter) =>
  [
    `trips;desc="${trips}"`,
    `rows_read;desc="${rowsRead}"`,
    `rows_written;desc="${rowsWritten}"`,
    `db;dur=${milliseconds.toFixed(1)}`,
  ].join(', ');

const isBookmark = (text: string) => /^[0-9a-f]+(-[0-9a-f]+){3}$/.test(text);

/** Opens the session, and adds its bookmark and cost to the response. Changes use the primary: replicas may lag. */
export const observe: MiddlewareHandler<Service> = async (c, next) => {
  const given = c.req.header('D1-Bookmark');
  const start = given !== undefined && isBookmark(given) ? given : undefined;
  const db = openDatabase(c.env.DB, isRead(c) ? (start ?? 'first-unconstrained') : 'first-primary');
  c.set('db', db);
  if (given === start) await next();
  else c.res = onError(malformed, c);
  const bookmark = db.bookmark();
  const { headers } = c.res; // `c.header` would copy the whole response for each header
  if (bookmark) headers.set('D1-Bookmark', bookmark);
  headers.set('Server-Timing', serverTiming(db.meter));
  headers.set('API-Version', apiVersion);
  headers.set('X-Request-Id', c.get('requestId'));
  // Proxies may cache responses for all callers: they ignore the SERVICE-API-KEY header.
  if (!headers.has('Cache-Control')) headers.set('Cache-Control', 'private, no-cache');
};

const malformed = Problem.property('D1-Bookmark', 'must be the D1-Bookmark of an earlier response');
