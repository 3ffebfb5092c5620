import { hourLength } from '../../base/time.ts';
import type { Check } from '../../data/exposures/table.ts';
import { mergeGateChecks } from '../../flags/gate_checks/recording.ts';
import { anyID, type GateCheck } from '../../flags/gate_checks/table.ts';
import type { Gate } from '../../flags/gates/schema.ts';
import type { ExposureEvent } from './exposure_events.ts';
import type { Snapshot } from './snapshot.ts';

/**
 * Returns the rule that a check counts for: client keys are public, so that an unknown rule of a report must not make a
 * row of its own.
 */
function countedRule({ rules, holdoutIDs }: Gate, ruleID: string): string {
  if (rules.some(({ id }) => id === ruleID)) return ruleID;
  if (holdoutIDs.includes(ruleID)) return 'holdout';
  if (ruleID.endsWith(':id_override')) return 'override';
  const isKnown = ruleID === 'launched' || ruleID === 'default' || ruleID === 'disabled';
  return isKnown ? ruleID : anyID;
}

/** Returns the checks of gates by rule in the hour of `now`: of exposure events, and of further checks without a rule. */
export function gateChecksOf(
  exposureEvents: readonly ExposureEvent[],
  { collections }: Snapshot,
  now: number,
  further: readonly Check[] = [],
): GateCheck[] {
  const hour = Math.floor(now / hourLength);
  const decided = exposureEvents.flatMap(({ list, id, ruleID, passes, isCheck }): GateCheck[] => {
    const gate = isCheck && list === 'gate' ? collections.gates.get(id) : undefined;
    if (!gate) return [];
    const outcome = { checks: 1, passes: passes ? 1 : 0, fails: passes ? 0 : 1 };
    return [{ hour, gateID: id, ruleID: countedRule(gate, ruleID), ...outcome }];
  });
  const undecided = further
    .filter(({ kind, count }) => kind === 'gate' && count > 0)
    .map(({ id, count }) => ({
      ...{ hour, gateID: id, ruleID: anyID },
      ...{ checks: count, passes: 0, fails: 0 },
    }));
  return mergeGateChecks([...decided, ...undecided]);
}
