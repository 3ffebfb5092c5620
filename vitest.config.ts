import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-pool-workers';
import { defineConfig } from 'vitest/config';

/** Tests that need processes and files. */
const toolTests =
  'test/{documents,openapi,project,scripts,import,dev,deploy,load,bench,apps,merge}.test.ts';

/** Tests in a real browser. */
const pageTests = 'test/page/*.test.ts';

/** Comparisons with server SDKs, which need Node. The SDKs read times without a zone as local times. */
const oracleTests = 'test/evaluation/oracle/*.test.ts';

/** Packages of hundreds of files: bundled once instead of transformed and sent to each runtime. */
const bundledPackages = [
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
          include: [toolTests, oracleTests],
          globalSetup: 'test/support/sample_database.ts',
          // Loads slow modules such as wrangler (1 s) once.
          isolate: false,
          maxWorkers: 1,
          testTimeout: 120_000,
          // Synchronous calls of Miniflare sometimes wake up too early. The reporter lists retries.
          retry: 1,
          env: { TZ: 'UTC' },
        },
      },
      {
        test: {
          name: 'page',
          include: [pageTests],
          globalSetup: 'test/page/setup.ts',
          setupFiles: ['test/page/each.ts'],
          isolate: false,
          // On two cores, the browser may stall for seconds. The reporter lists retries.
          testTimeout: 120_000,
          expect: { poll: { timeout: 30_000 } },
          retry: 1,
          maxWorkers: 1,
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
                // A fixed seed; `npm run model`, `fuzz` and `bodies` use a new one.
                SEED: process.env.SEED ?? '7',
                MIGRATIONS: await readD1Migrations('drizzle/migrations'),
              },
            },
          }),
        ],
        test: {
          name: 'workers',
          deps: { optimizer: { ssr: { enabled: true, include: bundledPackages } } },
          include: ['test/**/*.test.ts'],
          exclude: [toolTests, pageTests, oracleTests],
          isolate: false,
          // Each worker has its own runtime and database. More than two would wait for the CPU.
          maxWorkers: 2,
          sequence: { groupOrder: 1 }, // projects with one worker start first
          // On two shared cores, a test of 4 s may take 30 s.
          testTimeout: 120_000,
          hookTimeout: 120_000,
          // Concurrent changes of one entity are retried for 5 s, which may not be enough on a busy machine. The reporter
          // lists retries.
          retry: 1,
          setupFiles: ['test/support/setup.ts'],
        },
      },
    ],
  },
}));
