import * as z from 'zod';
import {
  creatorInput,
  description,
  flag,
  idTypeInput,
  name,
  nameSet,
  nullableName,
  nullableText,
  repeatable,
  stamps,
  stampsExample,
  strings,
  tags,
  targetAppsInput,
  time,
  wordFilter,
} from '../../base/fields.ts';
import { id } from '../../base/ids.ts';
import { limits } from '../../base/limits.ts';
import { metricReference, metricReferences } from '../../data/metrics/metric_names.ts';
import { listQuery } from '../../platform/operations/query.ts';
import { statusQuery } from '../../platform/operations/status.ts';
import { rule, ruleExample, rulesInput, salt } from '../rules/rules.ts';
import { unitOverridesResponse } from '../rules/unit_overrides.ts';

export const gateStatuses = ['In Progress', 'Launched', 'Disabled', 'Archived'] as const;
export const gateTypes = ['PERMANENT', 'TEMPORARY'] as const;

const gateStatus = z.enum(gateStatuses).meta({ id: 'GateStatus' });
const gateType = z.enum(gateTypes).meta({ id: 'GateType' });

const reviewSettings = z.object({
  requiredReview: z.boolean(),
  allowedReviewers: nameSet(limits.entries),
});

const example = {
  id: 'new_checkout',
  name: 'New checkout',
  description: 'The one-page checkout.',
  idType: 'userID',
  targetApps: [],
  holdoutIDs: [],
  tags: ['checkout'],
  isEnabled: true,
  status: 'In Progress',
  rules: [ruleExample],
  checksPerHour: 0,
  type: 'TEMPORARY',
  typeReason: 'NONE',
  team: null,
  teamID: null,
  reviewSettings: { requiredReview: false, allowedReviewers: [] },
  measureMetricLifts: false,
  owner: { ownerID: 'root', ownerName: 'CONSOLE API', ownerType: 'SDK_KEY', ownerEmail: '' },
  monitoringMetrics: [],
  releasePipelineID: null,
  salt: null,
};

export const gateResponse = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string(),
    idType: z.string(),
    targetApps: strings,
    holdoutIDs: strings,
    tags: strings,
    isEnabled: z.boolean(),
    status: gateStatus,
    rules: z.array(rule),
    checksPerHour: z.int(),
    type: gateType,
    typeReason: z.enum([
      'NONE',
      'STALE_NO_RULES',
      'STALE_ALL_TRUE',
      'STALE_ALL_FALSE',
      'STALE_EMPTY_CHECKS',
    ]),
    team: nullableText,
    teamID: nullableText,
    reviewSettings,
    measureMetricLifts: z.boolean(),
    owner: z.object({
      ownerID: z.string(),
      ownerName: z.string(),
      ownerType: z.string(),
      ownerEmail: z.string(),
    }),
    monitoringMetrics: z.array(metricReference),
    releasePipelineID: nullableText,
    salt: salt.nullable(),
    ...stamps,
  })
  .meta({ id: 'Gate', examples: [{ ...example, ...stampsExample }] });

export const storedGate = gateResponse
  .omit({ isEnabled: true, typeReason: true, checksPerHour: true })
  .extend({
    overrides: unitOverridesResponse,
    /** When each rule last changed its units, by rule id; epoch milliseconds. If absent: the creation time. */
    ruleTimes: z.record(z.string(), time),
    archivedFrom: gateStatus.nullable(),
    archiveReason: nullableText,
    forceArchive: z.boolean(),
  });

export type Gate = z.infer<typeof storedGate>;

export const gatePatch = z
  .object({
    name,
    isEnabled: z.boolean(),
    description,
    rules: rulesInput,
    tags,
    type: gateType,
    idType: idTypeInput,
    targetApps: targetAppsInput,
    ...creatorInput,
    team: nullableName,
    teamID: nullableName,
    measureMetricLifts: z.boolean(),
    monitoringMetrics: metricReferences,
    reviewSettings: reviewSettings.partial(),
    releasePipelineID: nullableText,
  })
  .partial()
  .meta({ id: 'GatePatch', examples: [{ isEnabled: false, tags: ['checkout', 'q3'] }] });

export const gateUpdate = gatePatch.meta({
  id: 'GateUpdate',
  examples: [{ name: 'New checkout', rules: [], tags: ['checkout'] }],
});

export const gateCreate = gatePatch
  .required({ name: true })
  .extend({ id: id.optional(), salt: salt.nullable().optional() })
  .meta({ id: 'GateCreate', examples: [{ name: 'New checkout', type: 'TEMPORARY' }] });

export const gateList = listQuery.extend({
  status: repeatable(gateStatus),
  type: repeatable(gateType),
  idType: wordFilter,
  teamID: z.string().optional(),
  releasePipelineID: z.string().optional(),
  stale: flag,
  holdoutID: z.string().optional(),
  ...statusQuery.shape,
});

export const gateArchive = z
  .object({ forceArchive: z.boolean(), archiveReason: z.string() })
  .partial()
  .meta({ id: 'GateArchive', examples: [{ archiveReason: 'Rolled out to everyone.' }] });
