// Wrangler, as a library. It is required: an `import` first reads all of its ten megabytes for the names that they export,
// and takes twice as long.
import { createRequire } from 'node:module';

/** @type {typeof import('wrangler')} */
const wrangler = createRequire(import.meta.url)('wrangler');

export const {
  getPlatformProxy,
  unstable_getMiniflareWorkerOptions,
  unstable_splitSqlQuery,
  unstable_startWorker,
} = wrangler;
