import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-pool-workers';
import { defineConfig } from 'vitest/config';

export default defineConfig(async () => ({
  test: {
    projects: [
      {
        test: { name: 'node', root: 'test', include: ['{openapi,migrations}.test.ts'] },
      },
      {
        plugins: [
          cloudflareTest({
            wrangler: { configPath: '../wrangler.toml' },
            miniflare: {
              bindings: {
                ROOT_API_KEY: 'test-root-key',
                MIGRATIONS: await readD1Migrations('drizzle/migrations'),
              },
            },
          }),
        ],
        test: {
          name: 'workers',
          root: 'test',
          include: ['*.test.ts'],
          exclude: ['{openapi,migrations}.test.ts'],
          isolate: false,
          maxWorkers: 1,
          setupFiles: ['./setup.ts'],
        },
      },
    ],
  },
}));
