import * as z from 'zod';
import {
  description,
  idTypeInput,
  name,
  nullableName,
  nullableText,
  repeatable,
  stamps,
  stampsExample,
  strings,
  tags,
  targetAppsInput,
} from '../../base/fields.ts';
import { id } from '../../base/ids.ts';
import { limits } from '../../base/limits.ts';
import { report } from '../../base/report.ts';
import { dataEnvelope, pageQuery, pagination } from '../../platform/http/envelope.ts';
import { listQuery } from '../../platform/operations/query.ts';
import { statusQuery } from '../../platform/operations/status.ts';
import { rule, ruleExample, rulesInput } from '../rules/rules.ts';

export const segmentTypes = ['rule_based', 'id_list'] as const;

const segmentType = z.enum(segmentTypes).meta({ id: 'SegmentType' });

export const segmentStatuses = ['active', 'archived'] as const;

const segmentStatus = z.enum(segmentStatuses).meta({ id: 'SegmentStatus' });

const byEmail = {
  name: 'By e-mail',
  passPercentage: 100,
  conditions: [{ type: 'email', operator: 'str_contains_any', targetValue: ['@beta.test'] }],
};

const example = {
  id: 'beta_testers',
  name: 'Beta testers',
  description: 'People who want early access.',
  idType: 'userID',
  type: 'rule_based',
  rules: [{ ...ruleExample, ...byEmail }],
  tags: ['beta'],
  targetApps: [],
  team: null,
  teamID: null,
  count: 0,
  status: 'active',
};

export const segmentResponse = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string(),
    idType: z.string(),
    type: segmentType,
    rules: z.array(rule),
    tags: strings,
    targetApps: strings,
    team: nullableText,
    teamID: nullableText,
    count: z.int(),
    status: segmentStatus,
    ...stamps,
  })
  .meta({ id: 'Segment', examples: [{ ...example, ...stampsExample }] });

export const storedSegment = segmentResponse.extend({ ids: strings });

export type Segment = z.infer<typeof storedSegment>;

export const segmentPatch = z
  .object({
    name,
    description,
    idType: idTypeInput,
    type: segmentType,
    rules: rulesInput,
    tags,
    targetApps: targetAppsInput,
    team: nullableName,
    teamID: nullableName,
  })
  .partial()
  .meta({ id: 'SegmentPatch', examples: [{ description: 'People who want early access.' }] });

export const segmentCreate = segmentPatch
  .required({ name: true })
  .extend({ id: id.optional() })
  .meta({
    id: 'SegmentCreate',
    examples: [{ name: 'Beta testers', type: 'rule_based', rules: [byEmail] }],
  });

export const segmentList = listQuery.extend({
  type: repeatable(segmentType),
  status: repeatable(segmentStatus),
  includeArchived: statusQuery.shape.includeArchived,
});

export const conditionalPatch = segmentPatch
  .pick({ rules: true })
  .required()
  .meta({ id: 'SegmentRules', examples: [{ rules: example.rules }] });

export const idListResponse = z
  .object({ ids: strings, count: z.int() })
  .meta({ id: 'SegmentIDList', examples: [{ ids: ['u-1', 'u-2'], count: 2 }] });

export const idListQuery = z.object({
  page: pageQuery.shape.page.removeDefault().optional(),
  limit: pageQuery.shape.limit.removeDefault().optional(),
});

const oneIDList = dataEnvelope(idListResponse);

/** The response of GET /segments/{id}/id_list; the page variant first, as clients may drop unknown members. */
export const idListRead = () =>
  z.union([oneIDList().extend({ pagination }), oneIDList()]).meta({ id: 'SegmentIDs' });

const unitIDs = z.array(z.string().trim().min(1)).max(limits.segmentIDs);

export const idListPatch = z
  .object({ add: unitIDs, remove: unitIDs, ids: unitIDs })
  .partial()
  .superRefine(({ add = [], ids = [], remove = [] }, context) => {
    const added = new Set([...add, ...ids]);
    const index = remove.findIndex((unit) => added.has(unit));
    if (index >= 0)
      report(context, `must not contain ${remove[index]}, which is also added`, 'remove', index);
  })
  .meta({ id: 'SegmentIDListPatch', examples: [{ add: ['u-3'], remove: ['u-1'] }] });
