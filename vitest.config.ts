import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-pool-workers';
import { defineConfig } from 'vitest/config';

/** Tests that need processes and files. */
const aroundTheWorker = 'test/{tools/!(sample),contract/openapi}.test.ts';

/** Tests of the page in a browser. */
const ofThePage = 'test/page/*.test.ts';

/** Comparisons with server SDKs, which run on Node and read times without a zone as local times. */
const besideTheSDKs = 'test/evaluation/oracle/*.test.ts';

/** Imports from packages of hundreds of files, which are bundled once instead of sent to each runtime. */
const ofManyFiles = [
  '@stdlib/math-base-special-betainc',
  '@stdlib/math-base-special-betaincinv',
  '@stdlib/math-base-special-erfc',
  '@stdlib/math-base-special-erfcinv',
  '@stdlib/math-base-special-gammainc',
  '@stdlib/math-base-special-gammaln',
  '@stdlib/stats-base-dists-t-quantile',
  'drizzle-orm',
  'drizzle-orm/d1',
  'drizzle-orm/sqlite-core',
  'fast-check',
  'zod',
];

export default defineConfig(async () => ({
  test: {
    silent: 'passed-only' as const,
    reporters: ['default', 'json'],
    outputFile: { json: 'node_modules/.cache/results.json' },
    projects: [
      {
        test: {
          name: 'node',
          include: [aroundTheWorker, besideTheSDKs],
          globalSetup: 'test/support/sample_database.ts',
          // Loads slow modules such as wrangler once.
          isolate: false,
          maxWorkers: 1,
          testTimeout: 120_000,
          env: { TZ: 'UTC' },
        },
      },
      {
        test: {
          name: 'page',
          include: [ofThePage],
          globalSetup: 'test/page/setup.ts',
          setupFiles: ['test/page/each.ts'],
          isolate: false,
          // A browser that shares two cores with all other tests may stop for seconds.
          testTimeout: 120_000,
          expect: { poll: { timeout: 30_000 } },
          maxWorkers: 2,
        },
      },
      {
        plugins: [
          cloudflareTest({
            wrangler: { configPath: 'wrangler.toml' },
            miniflare: {
              bindings: {
                CHANGE_LIMIT: 'none',
                WEBHOOK_URLS: '',
                ROOT_API_KEY: 'test-root-key',
                SEALING_KEY: btoa('0123456789abcdef0123456789abcdef'),
                MODEL_STEPS: process.env.MODEL_STEPS ?? '2000',
                FUZZ_REQUESTS: process.env.FUZZ_REQUESTS ?? '5000',
                BODIES: process.env.BODIES ?? '3',
                ANALYSIS_DAYS: process.env.ANALYSIS_DAYS ?? '3',
                // The same in each run, unlike in `npm run model`, `fuzz` and `bodies`.
                SEED: process.env.SEED ?? '7',
                MIGRATIONS: await readD1Migrations('drizzle/migrations'),
              },
            },
          }),
        ],
        test: {
          name: 'workers',
          deps: { optimizer: { ssr: { enabled: true, include: ofManyFiles } } },
          include: ['test/**/*.test.ts'],
          exclude: [aroundTheWorker, ofThePage, besideTheSDKs],
          isolate: false,
          // Each worker has its own runtime and database; a third would only wait for a processor.
          maxWorkers: 2,
          sequence: { groupOrder: 1 }, // after the projects with one worker
          // A test of 4 s may take 30 s on two processors that all tests share.
          testTimeout: 120_000,
          hookTimeout: 120_000,
          setupFiles: ['test/support/setup.ts'],
        },
      },
    ],
  },
}));
