import type { MiddlewareHandler } from 'hono';
import type { Platform, Service } from '../env.ts';

/**
 * Does some work after the answer of a request that has stored something, even a read that found it due; that the work
 * fails is one line in the log, and nothing to the caller.
 */
export const afterStoring =
  (work: (env: Platform) => Promise<void>): MiddlewareHandler<Service> =>
  async (c, next) => {
    await next();
    if (c.get('db').meter.rowsWritten === 0) return;
    c.executionCtx.waitUntil(
      work(c.env).catch(({ message }: Error) =>
        console.error(JSON.stringify({ afterwards: message, requestId: c.get('requestId') })),
      ),
    );
  };
