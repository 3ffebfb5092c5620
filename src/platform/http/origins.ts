import type { MiddlewareHandler } from 'hono';
import { cors } from 'hono/cors';
import type { Service } from '../env.ts';

/** The headers that pages of other origins may send and read, in addition to those that browsers always allow. */
const share = cors({
  origin: (origin, c) => (originsIn(c.env.CONSOLE_ORIGINS).includes(origin) ? origin : null),
  allowMethods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
  allowHeaders: [
    'Change-Note',
    'Content-Type',
    'D1-Bookmark',
    'Idempotency-Key',
    'If-Match',
    'If-None-Match',
    'SERVICE-API-KEY',
    'STATSIG-API-KEY',
  ],
  exposeHeaders: [
    'API-Version',
    'D1-Bookmark',
    'ETag',
    'Idempotency-Replayed',
    'Location',
    'Retry-After',
    'Server-Timing',
    'X-Request-Id',
  ],
  maxAge: 24 * 60 * 60,
});

const originsIn = (origins = '') =>
  origins
    .split(',')
    .map((origin) => origin.trim().replace(/\/$/, ''))
    .filter((origin) => origin !== '');

export const shareWithOrigins: MiddlewareHandler<Service> = (c, next) =>
  originsIn(c.env.CONSOLE_ORIGINS).length > 0 ? share(c, next) : next();
