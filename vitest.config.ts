import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-pool-workers';
import { defineConfig } from 'vitest/config';

/** Tests of the project around the Worker, which need processes and files. */
const aroundTheWorker =
  'test/{architecture,documents,openapi,project,scripts,import,dev,deploy,load,bench,apps,merge}.test.ts';

/** Tests of the page, in a real browser. */
const ofThePage = 'test/page/*.test.ts';

/** Tests beside the server SDKs, which run on Node; those read times without a zone as local ones. */
const besideTheSDKs = 'test/evaluation/oracle/*.test.ts';

/** Packages of hundreds of files, and what is imported of them: bundled once, not transformed and sent to each runtime. */
const ofManyFiles = [
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
          // What takes a second to load, such as wrangler, is loaded once.
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
                // The suite tries the same each time; `npm run model`, `fuzz` and `bodies` something else.
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
          // Each has a runtime and a database of its own; a third would only wait for a processor.
          maxWorkers: 2,
          sequence: { groupOrder: 1 }, // where all projects run at once, those of one worker come before
          // On two processors that all the tests share, one that takes four seconds alone may take half a minute.
          testTimeout: 120_000,
          hookTimeout: 120_000,
          setupFiles: ['test/support/setup.ts'],
        },
      },
    ],
  },
}));
