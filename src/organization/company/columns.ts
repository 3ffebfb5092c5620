import { text } from 'drizzle-orm/sqlite-core';
import { boolean, entityTable } from '../../platform/store/sql/columns.ts';

export const companyTable = entityTable(
  'company',
  { name: text().notNull(), strict: boolean() },
  { lookups: [['strict']] },
);
