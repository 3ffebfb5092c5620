import { createFactory } from 'hono/factory';
import type { Service } from '../env.ts';

/** Hono's own way to name the handlers of a route: `.get('/', ...handlers)`. */
export const { createHandlers } = createFactory<Service>();
