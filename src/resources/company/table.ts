import { sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { kind } from '../../store/core/define_kind.ts';
import { boolean, entityTable } from '../../store/sql/columns.ts';
import type { Company } from './schema.ts';

export const deployment = sqliteTable('deployment', { id: text().primaryKey() });

export const companyTable = entityTable(
  'company',
  { name: text().notNull(), strict: boolean() },
  { lookups: [['strict']] },
);

export const companies = kind<Company>({
  kind: 'company',
  title: 'Company',
  table: companyTable,
});
