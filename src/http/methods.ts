import type { Context } from 'hono';

/** Whether requests of a method change nothing. */
export const isRead = ({ req: { method } }: Pick<Context, 'req'>) =>
  method === 'GET' || method === 'HEAD';
