import type { MiddlewareHandler } from 'hono';
import type { Platform, Service } from '../env.ts';
import { isRead } from './methods.ts';

/** Does some work after a change has been answered; that it fails is one line in the log, and nothing to the caller. */
export const afterChanges =
  (work: (env: Platform) => Promise<void>): MiddlewareHandler<Service> =>
  async (c, next) => {
    await next();
    if (isRead(c) || !c.res.ok || c.req.query('dryRun') === 'true') return;
    c.executionCtx.waitUntil(
      work(c.env).catch(({ message }: Error) =>
        console.error(JSON.stringify({ afterwards: message, requestId: c.get('requestId') })),
      ),
    );
  };
