import { sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { kind } from '../../model/define_kind.ts';
import { boolean, entityTable } from '../../platform/store/sql/columns.ts';
import type { Company } from './schema.ts';

export const companyTable = entityTable(
  'company',
  { name: text().notNull(), strict: boolean() },
  { lookups: [['strict']] },
);

export const deployment = sqliteTable('deployment', { id: text().primaryKey() });

export const companies = kind<Company>({
  kind: 'company',
  title: 'Company',
  table: companyTable,
});
