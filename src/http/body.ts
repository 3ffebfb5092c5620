import type { MiddlewareHandler } from 'hono';

/** Takes an empty body for `{}`, and a body without a type for JSON. */
export const jsonBody: MiddlewareHandler = async (c, next) => {
  const { raw } = c.req;
  const isRead = raw.method === 'GET' || raw.method === 'HEAD';
  const isEmpty = raw.body === null || raw.headers.get('Content-Length') === '0';
  if (!isRead && (isEmpty || !raw.headers.has('Content-Type'))) {
    const headers = new Headers(raw.headers);
    if (!headers.has('Content-Type')) headers.set('Content-Type', 'application/json');
    headers.delete('Content-Length');
    c.req.raw = new Request(raw.url, {
      method: raw.method,
      headers,
      body: isEmpty ? '{}' : raw.body,
    });
  }
  await next();
};
