// Wrangler as a library. `require` loads it twice as fast as `import`, which scans its 10 MB for exported names.
import { createRequire } from 'node:module';

/** @type {typeof import('wrangler')} */
const wrangler = createRequire(import.meta.url)('wrangler');

export const {
  getPlatformProxy,
  unstable_getMiniflareWorkerOptions,
  unstable_readConfig,
  unstable_splitSqlQuery,
  unstable_startWorker,
} = wrangler;
