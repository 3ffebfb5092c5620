import type { Context } from 'hono';

/** Whether the method of a request changes nothing. */
export const isRead = ({ req: { method } }: Pick<Context, 'req'>) =>
  method === 'GET' || method === 'HEAD';
