import { defineConfig } from 'drizzle-kit';

export default defineConfig({
  dialect: 'sqlite',
  schema: ['./src/store/sql/tables.ts', './src/resources/*/{columns,table}.ts'],
  out: process.env.MIGRATIONS ?? './drizzle/migrations',
});
