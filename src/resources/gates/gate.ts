import type * as z from 'zod';
import type { Actor } from '../../env.ts';
import { merge, newID, show } from '../../fields.ts';
import { Problem } from '../../http/problem.ts';
import { withRuleIDs } from '../../rules.ts';
import type { Draft } from '../../store/transaction.ts';
import {
  type Gate,
  type gateArchive,
  type gateCreate,
  type gatePatch,
  gateResponse,
} from './schema.ts';

/** The status that `isEnabled` asks for. */
function withEnabled(gate: Pick<Gate, 'status'>, isEnabled: boolean | undefined): Gate['status'] {
  const enabled = gate.status === 'In Progress' || gate.status === 'Launched';
  if (isEnabled === undefined || isEnabled === enabled) return gate.status;
  if (gate.status === 'Archived')
    throw new Problem('transition', 'The gate is Archived; unarchive it before enabling it.');
  return isEnabled ? 'In Progress' : 'Disabled';
}

/** A new gate from the body of its creation. */
export function newGate(body: z.infer<typeof gateCreate>, actor: Actor): Draft<Gate> {
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
  return merge(gate, {
    ...given,
    status: withEnabled(gate, isEnabled),
    rules: rules && withRuleIDs(rules, gate.rules),
    reviewSettings: review && { ...gate.reviewSettings, ...review },
  });
}

/** A gate in another status; 409 from Archived. */
export function moveGate(gate: Gate, status: 'In Progress' | 'Launched' | 'Disabled'): Gate {
  if (gate.status === 'Archived')
    throw new Problem('transition', 'The gate is Archived; unarchive it first.');
  return { ...gate, status };
}

/** Archives a gate; one that is archived stays as it is. */
export function archiveGate(gate: Gate, body: z.infer<typeof gateArchive>): Gate {
  if (gate.status === 'Archived') return gate;
  const { archiveReason = null, forceArchive = false } = body;
  return { ...gate, status: 'Archived', archivedFrom: gate.status, archiveReason, forceArchive };
}

/** Brings an archived gate back as it was; another stays as it is. */
export function unarchiveGate(gate: Gate): Gate {
  if (gate.status !== 'Archived') return gate;
  const status = gate.archivedFrom ?? 'In Progress';
  return { ...gate, status, archivedFrom: null, archiveReason: null, forceArchive: false };
}

const thirtyDays = 30 * 24 * 60 * 60 * 1000;

type TypeReason = z.infer<typeof gateResponse>['typeReason'];

const passesAll = ({ passPercentage, conditions }: Gate['rules'][number]) =>
  passPercentage === 100 && conditions.every(({ type }) => type === 'public');

/** Why a temporary gate could go: it was left alone for 30 days, and answers everyone alike. */
export function staleReason(gate: Gate, now: number): TypeReason {
  const { type, status, rules, lastModifiedTime } = gate;
  if (type === 'PERMANENT' || now - lastModifiedTime < thirtyDays) return 'NONE';
  if (status === 'Launched') return 'STALE_ALL_TRUE';
  if (status !== 'In Progress') return 'STALE_ALL_FALSE';
  if (rules.length === 0) return 'STALE_NO_RULES';
  if (rules[0] && passesAll(rules[0])) return 'STALE_ALL_TRUE';
  return rules.every(({ passPercentage }) => passPercentage === 0) ? 'STALE_ALL_FALSE' : 'NONE';
}

/** A gate as it is answered. No checks are counted before there is evaluation, so none are reported. */
export function viewGate(gate: Gate, now = Date.now()): z.infer<typeof gateResponse> {
  const status = gate.archivedFrom ?? gate.status;
  return show(gateResponse, {
    ...gate,
    isEnabled: status === 'In Progress' || status === 'Launched',
    typeReason: staleReason(gate, now),
    checksPerHour: 0,
  });
}
