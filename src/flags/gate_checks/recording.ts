import { sql } from 'drizzle-orm';
import { overRows } from '../../platform/store/sql/rows.ts';
import { type Statement, statement } from '../../platform/store/sql/statement.ts';
import { anyID, type GateCheck } from './table.ts';

/** Adds the counts of a row to those of the row with the same key. */
export function addGateCheck(rows: Map<string, GateCheck>, added: GateCheck): void {
  const key = JSON.stringify([added.gateID, added.hour, added.ruleID]);
  const known = rows.get(key);
  rows.set(key, {
    ...added,
    checks: (known?.checks ?? 0) + added.checks,
    passes: (known?.passes ?? 0) + added.passes,
    fails: (known?.fails ?? 0) + added.fails,
  });
}

/** Returns one row for each gate, rule and hour, with the sums of the counts. */
export function mergeGateChecks(given: readonly GateCheck[]): GateCheck[] {
  const rows = new Map<string, GateCheck>();
  for (const row of given) addGateCheck(rows, row);
  return [...rows.values()];
}

const addGateChecks = overRows((given) =>
  statement(sql`
    insert into gate_checks (gateID, hour, ruleID, checks, passes, fails)
    select value->>'gateID', value->>'hour', value->>'ruleID', value->>'checks', value->>'passes',
      value->>'fails'
    from ${given} where true
    on conflict (gateID, hour, ruleID) do update set
      checks = checks + excluded.checks,
      passes = passes + excluded.passes,
      fails = fails + excluded.fails`),
);

/** Returns the statements that add checks by gate, rule and hour, and the sums of all gates by hour: a row each. */
export function recordGateChecks(given: readonly GateCheck[]): Statement[] {
  const ofAllGates = given.map((row) => ({ ...row, gateID: anyID, ruleID: anyID }));
  return addGateChecks(mergeGateChecks([...given, ...ofAllGates]));
}
