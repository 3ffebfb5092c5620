import { defineConfig } from 'drizzle-kit';

export default defineConfig({
  dialect: 'sqlite',
  schema: [
    './src/platform/store/sql/tables.ts',
    './src/{organization,data,flags,experiments,project}/*/{columns,table}.ts',
    './src/analysis/base/table.ts',
  ],
  out: process.env.MIGRATIONS ?? './drizzle/migrations',
});
