import type * as z from 'zod';
import { archive, isOn, unarchive, withEnabled } from '../../shared/archive.ts';
import { staleBefore } from '../../shared/days.ts';
import { isEqual } from '../../shared/equal.ts';
import { merge, show } from '../../shared/fields.ts';
import { newID } from '../../shared/ids.ts';
import { withRuleIDs } from '../../shared/rules.ts';
import { noUnitOverrides } from '../../shared/unit_overrides.ts';
import type { Author } from '../../store/core/author.ts';
import type { Draft } from '../../store/core/transaction.ts';
import { checksPerHour, countsOf, seenSince } from './counted.ts';
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

type Rule = Gate['rules'][number];

/** The properties that decide which units pass a rule. */
const phaseOf = ({ passPercentage, conditions, environments, salt, baseID }: Rule) => [
  passPercentage,
  conditions,
  environments,
  salt ?? baseID,
];

/**
 * Returns the time at which the units of a rule last changed, in epoch milliseconds; the creation of the gate by
 * default.
 */
export const startOf = (
  { ruleTimes, createdTime }: Pick<Gate, 'ruleTimes' | 'createdTime'>,
  ruleID: string,
): number => (Object.hasOwn(ruleTimes, ruleID) && ruleTimes[ruleID]) || createdTime;

/**
 * Stores the time at which the units of each rule changed, so that units of different percentages are not mixed.
 * `now` in epoch milliseconds.
 */
export function withRuleTimes(before: Gate | undefined, gate: Gate, now: number): Gate {
  const { ruleTimes = {} } = gate; // a version of before they were kept has none
  if (!before) return { ...gate, ruleTimes }; // it comes back as it was
  const earlier = new Map(before.rules.map((rule) => [rule.id, rule]));
  const times = gate.rules.flatMap((rule) => {
    const same = earlier.get(rule.id);
    const isAsBefore =
      same && before.idType === gate.idType && isEqual(phaseOf(same), phaseOf(rule));
    if (!isAsBefore) return [[rule.id, now]];
    return Object.hasOwn(before.ruleTimes, rule.id) ? [[rule.id, before.ruleTimes[rule.id]]] : [];
  });
  return { ...gate, ruleTimes: Object.fromEntries(times) };
}

export function patchGate(gate: Gate, body: z.infer<typeof gatePatch>): Gate {
  const { isEnabled, rules, reviewSettings: review, ...given } = body;
  return merge(withEnabled(gate, isEnabled), {
    ...given,
    rules: rules && withRuleIDs(rules, gate.rules),
    reviewSettings: review && { ...gate.reviewSettings, ...review },
  });
}

/** Applies a full update: missing properties get their defaults, except the name and whether the gate is on. */
export const replaceGate = (gate: Gate, body: z.infer<typeof gatePatch>): Gate =>
  patchGate({ ...gate, ...defaults }, { rules: [], ...body });

/** Archives a gate. An archived gate stays unchanged. */
export function archiveGate(gate: Gate, body: z.infer<typeof gateArchive>): Gate {
  if (gate.status === 'Archived') return gate;
  const { archiveReason = null, forceArchive = false } = body;
  return { ...archive(gate), archiveReason, forceArchive };
}

/** Restores an archived gate. Another gate stays unchanged. */
export const unarchiveGate = (gate: Gate): Gate => ({
  ...unarchive(gate),
  archiveReason: null,
  forceArchive: false,
});

type TypeReason = z.infer<typeof gateResponse>['typeReason'];

const passesAll = ({ passPercentage, conditions, environments }: Rule) =>
  passPercentage === 100 && !environments && conditions.every(({ type }) => type === 'public');

type Read = Gate & { beside?: string | null };

/** The reason that the checks of 30 days give. */
function reasonSeen(counts: ReturnType<typeof countsOf>, now: number): TypeReason {
  const { passing, failing } = seenSince(counts, staleBefore(now));
  if (!passing && !failing) return 'STALE_EMPTY_CHECKS';
  if (passing && failing) return 'NONE';
  return passing ? 'STALE_ALL_TRUE' : 'STALE_ALL_FALSE';
}

/**
 * Returns why a temporary gate is stale: unchanged for 30 days, without referrers, and with equal results for
 * everyone. If nothing was ever counted in the project, its rules decide. See
 * docs/contract/evaluation.md#9-exposures-and-checks.
 */
function staleReason(gate: Read, now: number): TypeReason {
  const { type, status, rules, lastModifiedTime } = gate;
  if (type === 'PERMANENT' || lastModifiedTime > staleBefore(now)) return 'NONE';
  const counts = countsOf(gate);
  if (counts.isReferred !== false) return 'NONE';
  if (counts.checks !== null)
    return rules.length === 0 ? 'STALE_NO_RULES' : reasonSeen(counts, now);
  if (status === 'Launched') return 'STALE_ALL_TRUE';
  if (status !== 'In Progress') return 'STALE_ALL_FALSE';
  if (rules.length === 0) return 'STALE_NO_RULES';
  if (rules[0] && passesAll(rules[0])) return 'STALE_ALL_TRUE';
  return rules.every(({ passPercentage }) => passPercentage === 0) ? 'STALE_ALL_FALSE' : 'NONE';
}

/** Returns a word for the parts of the response that depend on the clock and on counts; empty if nothing does. */
export function markOfGate(gate: Read, now: number): string {
  const reason = staleReason(gate, now);
  const checks = checksPerHour(countsOf(gate), gate.createdTime, now);
  return [reason !== 'NONE' && reason.toLowerCase(), checks].filter(Boolean).join('_');
}

/** Returns a gate for a response. After a change, counts are not read, and `checksPerHour` is 0. */
export function viewGate(gate: Read, now = Date.now()): z.infer<typeof gateResponse> {
  return show(gateResponse, gate, {
    isEnabled: isOn(gate),
    typeReason: staleReason(gate, now),
    checksPerHour: checksPerHour(countsOf(gate), gate.createdTime, now),
  });
}
