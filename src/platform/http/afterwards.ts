import type { MiddlewareHandler } from 'hono';
import type { Platform, Service } from '../env.ts';

/** Returns middleware that runs the work after the response of a request that wrote rows; a failure is only logged. */
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
