import type { Context } from 'hono';

/** Whether a request changes nothing, by its method. */
export const isRead = ({ req: { method } }: Pick<Context, 'req'>) =>
  method === 'GET' || method === 'HEAD';
