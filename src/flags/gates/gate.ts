import type * as z from 'zod';
import { isEqual } from '../../base/equal.ts';
import { merge, show } from '../../base/fields.ts';
import { newID } from '../../base/ids.ts';
import { staleBefore } from '../../base/time.ts';
import type { Author } from '../../platform/store/core/author.ts';
import type { Draft } from '../../platform/store/core/transaction.ts';
import { archive, isOn, unarchivedEntity, withEnabled } from '../rules/archive.ts';
import { withRuleIDs } from '../rules/rules.ts';
import { noUnitOverrides } from '../rules/unit_overrides.ts';
import { checkCounts, checksPerHour, outcomesSince } from './counted.ts';
import {
  type Gate,
  type gateArchive,
  type gateCreate,
  type gatePatch,
  gateResponse,
} from './schema.ts';

const defaults = {
  description: '',
  idType: 'userID',
  targetApps: [],
  tags: [],
  type: 'PERMANENT' as const,
  team: null,
  teamID: null,
  reviewSettings: { requiredReview: false, allowedReviewers: [] },
  measureMetricLifts: false,
  monitoringMetrics: [],
  releasePipelineID: null,
};

/** Returns a new gate from a creation body. */
export function newGate(body: z.infer<typeof gateCreate>, { actor }: Author): Draft<Gate> {
  const { isEnabled, rules = [], reviewSettings: review, ...given } = body;
  return {
    ...defaults,
    holdoutIDs: [],
    status: isEnabled === false ? 'Disabled' : 'In Progress',
    rules: withRuleIDs(rules),
    reviewSettings: { ...defaults.reviewSettings, ...review },
    owner: {
      ownerID: actor.id,
      ownerName: actor.name,
      ownerType: 'SDK_KEY',
      ownerEmail: actor.email ?? '',
    },
    salt: null,
    overrides: noUnitOverrides(),
    archivedFrom: null,
    archiveReason: null,
    forceArchive: false,
    ruleTimes: {},
    ...given,
    id: newID(body.id, body.name),
  };
}

type GateRule = Gate['rules'][number];

const phaseOf = ({ passPercentage, conditions, environments, salt, baseID }: GateRule) => [
  passPercentage,
  conditions,
  environments,
  salt ?? baseID,
];

/** Returns when a rule last changed the units that it passes, else the creation time; epoch milliseconds. */
export const ruleStartTime = (
  { ruleTimes, createdTime }: Pick<Gate, 'ruleTimes' | 'createdTime'>,
  ruleID: string,
): number => (Object.hasOwn(ruleTimes, ruleID) && ruleTimes[ruleID]) || createdTime;

/** Stores when each rule last changed its units, to separate earlier exposures. `now` in epoch milliseconds. */
export function withRuleTimes(before: Gate | undefined, gate: Gate, now: number): Gate {
  const { ruleTimes = {} } = gate; // older versions have none
  if (!before) return { ...gate, ruleTimes }; // a restored gate
  const earlierRules = new Map(before.rules.map((rule) => [rule.id, rule]));
  const times = gate.rules.flatMap((rule) => {
    const earlierRule = earlierRules.get(rule.id);
    const isUnchanged =
      earlierRule && before.idType === gate.idType && isEqual(phaseOf(earlierRule), phaseOf(rule));
    if (!isUnchanged) return [[rule.id, now]];
    return Object.hasOwn(before.ruleTimes, rule.id) ? [[rule.id, before.ruleTimes[rule.id]]] : [];
  });
  return { ...gate, ruleTimes: Object.fromEntries(times) };
}

/** Returns a gate after a partial update. */
export function patchGate(gate: Gate, body: z.infer<typeof gatePatch>): Gate {
  const { isEnabled, rules, reviewSettings: review, ...given } = body;
  return merge(withEnabled(gate, isEnabled), {
    ...given,
    rules: rules && withRuleIDs(rules, gate.rules),
    reviewSettings: review && { ...gate.reviewSettings, ...review },
  });
}

/** Returns a gate after a full update: name and status stay, other absent properties are reset. */
export const replaceGate = (gate: Gate, body: z.infer<typeof gatePatch>): Gate =>
  patchGate({ ...gate, ...defaults }, { rules: [], ...body });

/** Archives a gate; an archived gate stays unchanged. */
export function archiveGate(gate: Gate, body: z.infer<typeof gateArchive>): Gate {
  if (gate.status === 'Archived') return gate;
  const { archiveReason = null, forceArchive = false } = body;
  return { ...archive(gate), archiveReason, forceArchive };
}

/** Restores the status that a gate had before archiving; any other gate stays unchanged. */
export const unarchiveGate = (gate: Gate): Gate => ({
  ...unarchivedEntity(gate),
  archiveReason: null,
  forceArchive: false,
});

type TypeReason = z.infer<typeof gateResponse>['typeReason'];

const passesAll = ({ passPercentage, conditions, environments }: GateRule) =>
  passPercentage === 100 && !environments && conditions.every(({ type }) => type === 'public');

type GateWithCounts = Gate & { extraColumn?: string | null };

function reasonFromChecks(counts: ReturnType<typeof checkCounts>, now: number): TypeReason {
  const { passing, failing } = outcomesSince(counts, staleBefore(now));
  if (!passing && !failing) return 'STALE_EMPTY_CHECKS';
  if (passing && failing) return 'NONE';
  return passing ? 'STALE_ALL_TRUE' : 'STALE_ALL_FALSE';
}

/** Without any recorded check, status and rules decide. See docs/contract/evaluation.md#9-exposures-and-checks. */
function staleReason(gate: GateWithCounts, now: number): TypeReason {
  const { type, status, rules, lastModifiedTime } = gate;
  if (type === 'PERMANENT' || lastModifiedTime > staleBefore(now)) return 'NONE';
  const counts = checkCounts(gate);
  if (counts.isReferenced !== false) return 'NONE';
  if (counts.checks !== null)
    return rules.length === 0 ? 'STALE_NO_RULES' : reasonFromChecks(counts, now);
  if (status === 'Launched') return 'STALE_ALL_TRUE';
  if (status !== 'In Progress') return 'STALE_ALL_FALSE';
  if (rules.length === 0) return 'STALE_NO_RULES';
  if (rules[0] && passesAll(rules[0])) return 'STALE_ALL_TRUE';
  return rules.every(({ passPercentage }) => passPercentage === 0) ? 'STALE_ALL_FALSE' : 'NONE';
}

/** Returns an ETag part for values that change without a new version: the stale reason and the checks per hour. */
export function markOfGate(gate: GateWithCounts, now: number): string {
  const reason = staleReason(gate, now);
  const checks = checksPerHour(checkCounts(gate), gate.createdTime, now);
  return [reason !== 'NONE' && reason.toLowerCase(), checks].filter(Boolean).join('_');
}

/** Returns the response of a gate. After a change `checksPerHour` is 0, because checks are not read. */
export function viewGate(gate: GateWithCounts, now = Date.now()): z.infer<typeof gateResponse> {
  return show(gateResponse, gate, {
    isEnabled: isOn(gate),
    typeReason: staleReason(gate, now),
    checksPerHour: checksPerHour(checkCounts(gate), gate.createdTime, now),
  });
}
