import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** The checks of gates by rule and hour (since 1970). `anyID` is the gate in the row of all gates. */
export const gateChecks = sqliteTable(
  'gate_checks',
  {
    gateID: text().notNull(),
    hour: integer().notNull(),
    ruleID: text().notNull(),
    checks: integer().notNull(),
    passes: integer().notNull(),
    fails: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.gateID, table.hour, table.ruleID] })],
);

export type GateCheck = typeof gateChecks.$inferInsert;

export const anyID = '';
