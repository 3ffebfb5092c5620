import type * as z from 'zod';
import { archive, isOn, unarchive, withEnabled } from '../../shared/archive.ts';
import { merge, newID, show } from '../../shared/fields.ts';
import { withRuleIDs } from '../../shared/rules.ts';
import type { Author, Draft } from '../../store/terms.ts';
import {
  type Gate,
  type gateArchive,
  type gateCreate,
  type gatePatch,
  gateResponse,
} from './schema.ts';

/** A new gate from the body of its creation. */
export function newGate(body: z.infer<typeof gateCreate>, { actor }: Author): Draft<Gate> {
  const { isEnabled, rules = [], reviewSettings: review, ...given } = body;
  return {
    description: '',
    idType: 'userID',
    targetApps: [],
    holdoutIDs: [],
    tags: [],
    status: isEnabled === false ? 'Disabled' : 'In Progress',
    rules: withRuleIDs(rules),
    type: 'PERMANENT',
    team: null,
    teamID: null,
    reviewSettings: { requiredReview: false, allowedReviewers: [], ...review },
    measureMetricLifts: false,
    owner: {
      ownerID: actor.id,
      ownerName: actor.name,
      ownerType: 'SDK_KEY',
      ownerEmail: actor.email ?? '',
    },
    monitoringMetrics: [],
    releasePipelineID: null,
    salt: null,
    overrides: { passingUserIDs: [], failingUserIDs: [], environmentOverrides: [] },
    archivedFrom: null,
    archiveReason: null,
    forceArchive: false,
    ...given,
    id: newID(body.id, body.name),
  };
}

/** A gate after a partial update. */
export function patchGate(gate: Gate, body: z.infer<typeof gatePatch>): Gate {
  const { isEnabled, rules, reviewSettings: review, ...given } = body;
  return merge(withEnabled(gate, isEnabled), {
    ...given,
    rules: rules && withRuleIDs(rules, gate.rules),
    reviewSettings: review && { ...gate.reviewSettings, ...review },
  });
}

/** Archives a gate; one that is archived stays as it is. */
export function archiveGate(gate: Gate, body: z.infer<typeof gateArchive>): Gate {
  if (gate.status === 'Archived') return gate;
  const { archiveReason = null, forceArchive = false } = body;
  return { ...archive(gate), archiveReason, forceArchive };
}

/** Brings an archived gate back as it was; another stays as it is. */
export const unarchiveGate = (gate: Gate): Gate => ({
  ...unarchive(gate),
  archiveReason: null,
  forceArchive: false,
});

const staleAfter = 30 * 24 * 60 * 60 * 1000;

/** The latest time of last change, in epoch milliseconds, at which a gate can be stale. */
export const staleBefore = (now: number) => now - staleAfter;

type TypeReason = z.infer<typeof gateResponse>['typeReason'];

const passesAll = ({ passPercentage, conditions }: Gate['rules'][number]) =>
  passPercentage === 100 && conditions.every(({ type }) => type === 'public');

/** Why a temporary gate could go: it was left alone for 30 days, and answers everyone alike. */
export function staleReason(gate: Gate, now: number): TypeReason {
  const { type, status, rules, lastModifiedTime } = gate;
  if (type === 'PERMANENT' || lastModifiedTime > staleBefore(now)) return 'NONE';
  if (status === 'Launched') return 'STALE_ALL_TRUE';
  if (status !== 'In Progress') return 'STALE_ALL_FALSE';
  if (rules.length === 0) return 'STALE_NO_RULES';
  if (rules[0] && passesAll(rules[0])) return 'STALE_ALL_TRUE';
  return rules.every(({ passPercentage }) => passPercentage === 0) ? 'STALE_ALL_FALSE' : 'NONE';
}

/** What time has made of a gate, as a word; empty where that is nothing. */
export function markOfGate(gate: Gate, now: number): string {
  const reason = staleReason(gate, now);
  return reason === 'NONE' ? '' : reason.toLowerCase();
}

/** A gate as it is answered. No checks are counted before there is evaluation, so none are reported. */
export function viewGate(gate: Gate, now = Date.now()): z.infer<typeof gateResponse> {
  return show(gateResponse, {
    ...gate,
    isEnabled: isOn(gate),
    typeReason: staleReason(gate, now),
    checksPerHour: 0,
  });
}
