import type { Handler } from 'hono';
import type { Service } from '../env.ts';
import { methodNotAllowed } from './respond.ts';

/**
 * Answers 405 on a path that stands beside `/:id`: with another method, it would be taken for an id.
 * @param methods those that the path has
 */
export const only =
  (...methods: string[]): Handler<Service> =>
  (c) =>
    methodNotAllowed(c, methods);
