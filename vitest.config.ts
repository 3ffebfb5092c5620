import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-pool-workers';
import { defineConfig } from 'vitest/config';
import { asOneFile, bundledFiles } from './test/support/bundle.ts';

/** Tests that start processes: the local server, deployments and load. */
const ofProcesses = 'test/tools/{apps,bench,deploy,dev,import,load,scripts}.test.ts';

/** Tests of the files of the project. */
const ofFiles = [
  'test/tools/!(apps|bench|deploy|dev|import|load|sample|scripts).test.ts',
  'test/contract/openapi.test.ts',
];

/** Tests of rules that need no Worker. */
const ofRules = ['test/{base,evaluation,statistics}/*.test.ts', 'test/limits/steps.test.ts'];

/** Tests of the page in a browser. */
const ofThePage = 'test/page/*.test.ts';

/** Comparisons with server SDKs, which run on Node and read times without a zone as local times. */
const besideTheSDKs = 'test/evaluation/oracle/*.test.ts';

/** Whether the tests load the Worker as one file; from its files, `vitest --changed` knows which tests a change concerns. */
const isBundled = process.env.WORKER === 'bundle';

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
          include: [...ofFiles, besideTheSDKs],
          isolate: false,
          maxWorkers: 1,
          testTimeout: 120_000,
          env: { TZ: 'UTC' },
        },
      },
      {
        test: {
          name: 'rules',
          include: ofRules,
          isolate: false,
          maxWorkers: 1,
          testTimeout: 120_000,
          env: { TZ: 'UTC' }, // like the Worker
        },
      },
      {
        test: {
          name: 'tools',
          include: [ofProcesses],
          globalSetup: 'test/support/sample_database.ts',
          // Loads slow modules such as wrangler once.
          isolate: false,
          maxWorkers: 1,
          testTimeout: 120_000,
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
          isBundled && asOneFile(),
          cloudflareTest({
            wrangler: { configPath: 'wrangler.toml' },
            miniflare: {
              modulesRules: [{ type: 'ESModule', include: [bundledFiles] }],
              bindings: {
                CHANGE_LIMIT: 'none',
                WEBHOOK_URLS: '',
                ROOT_API_KEY: 'test-root-key',
                SEALING_KEY: btoa('0123456789abcdef0123456789abcdef'),
                MODEL_STEPS: process.env.MODEL_STEPS ?? '1000',
                FUZZ_REQUESTS: process.env.FUZZ_REQUESTS ?? '2000',
                BODIES: process.env.BODIES ?? '1',
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
          deps: { optimizer: { ssr: { enabled: !isBundled, include: ofManyFiles } } },
          include: ['test/**/*.test.ts'],
          exclude: [ofProcesses, ...ofFiles, ...ofRules, ofThePage, besideTheSDKs],
          isolate: false,
          // Each worker has its own runtime and database; a third would only wait for a processor.
          maxWorkers: 2,
          sequence: { groupOrder: 1 }, // after the other projects
          // A test of 4 s may take 30 s on two processors that all tests share.
          testTimeout: 120_000,
          hookTimeout: 120_000,
          setupFiles: ['test/support/setup.ts'],
        },
      },
    ],
  },
}));
