import { createFactory } from 'hono/factory';
import type { Service } from '../env.ts';

/** Hono's factory of a route's handlers: `.get('/', ...handlers)`. */
export const { createHandlers } = createFactory<Service>();
