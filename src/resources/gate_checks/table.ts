import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** The checks of gates by hour and rule. */
export const gateChecks = sqliteTable(
  'gate_checks',
  {
    /** Empty in the row of all gates. */
    gateID: text().notNull(),
    /** In hours since 1970. */
    hour: integer().notNull(),
    /** The rule that decided, or an outcome without a rule; empty if it was not reported. */
    ruleID: text().notNull(),
    checks: integer().notNull(),
    passes: integer().notNull(),
    fails: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.gateID, table.hour, table.ruleID] })],
);

export type GateCheck = typeof gateChecks.$inferInsert;

/** The ID of the row of all gates, and of checks whose rule was not reported. */
export const anyID = '';
