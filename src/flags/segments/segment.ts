import type * as z from 'zod';
import { merge, show } from '../../base/fields.ts';
import { newID } from '../../base/ids.ts';
import { Problem } from '../../base/problem.ts';
import type { Draft } from '../../platform/store/core/transaction.ts';
import { editIDs, withoutIDs } from '../rules/overrides.ts';
import { withRuleIDs } from '../rules/rules.ts';
import {
  type idListPatch,
  idListResponse,
  type Segment,
  type segmentCreate,
  type segmentPatch,
} from './schema.ts';

function validateSegment<S extends Pick<Segment, 'type' | 'rules'>>(segment: S): S {
  const { type, rules } = segment;
  if (type === 'id_list' && rules.length > 0)
    throw Problem.property('rules', 'must be empty for a segment of type id_list');
  return segment;
}

export function newSegment(body: z.infer<typeof segmentCreate>): Draft<Segment> {
  const { rules = [], ...given } = body;
  return validateSegment({
    description: '',
    idType: 'userID',
    type: 'rule_based' as const,
    tags: [],
    targetApps: [],
    team: null,
    teamID: null,
    ...given,
    id: newID(body.id, body.name),
    rules: withRuleIDs(rules),
    ids: [],
    count: 0,
    status: 'active' as const,
  });
}

/** Returns a segment after a partial update. @throws Problem 400 for another type */
export function patchSegment(segment: Segment, body: z.infer<typeof segmentPatch>): Segment {
  const { rules, type = segment.type, ...given } = body;
  if (type !== segment.type)
    throw Problem.property('type', `must be ${segment.type}; it is fixed at creation`);
  return validateSegment(
    merge(segment, { ...given, rules: rules && withRuleIDs(rules, segment.rules) }),
  );
}

/** Throws Problem 400 for an imported segment in a state that no change leads to. */
export function requireSegmentReached({ type, ids, count }: Segment): void {
  if (type !== 'id_list' && ids.length > 0)
    throw Problem.property('ids', `must be empty for a segment of type ${type}`);
  if (new Set(ids).size < ids.length) throw Problem.property('ids', 'must contain each id once');
  if (count !== ids.length) throw Problem.property('count', 'must be the number of ids');
}

function requireIDList({ type }: Segment): void {
  if (type === 'id_list') return;
  throw new Problem(
    'transition',
    `The segment is of type ${type}; only id_list has a list of ids.`,
  );
}

/** Returns the IDs of a segment. @throws Problem 409 if it is rule_based */
export function viewIDList(segment: Segment): z.infer<typeof idListResponse> {
  requireIDList(segment);
  return show(idListResponse, segment);
}

/** Archives a segment: lists hide it, and nothing new may refer to it; existing references keep working. */
export const archiveSegment = (segment: Segment): Segment => ({ ...segment, status: 'archived' });

export const unarchiveSegment = (segment: Segment): Segment => ({ ...segment, status: 'active' });

/** Adds and removes IDs. @throws Problem 400 without any, 409 if the segment is rule_based */
export function patchIDList(segment: Segment, body: z.infer<typeof idListPatch>): Segment {
  const { add, ids: more, remove } = body;
  if (!add && !more && !remove)
    throw Problem.property('add', 'is required, unless remove is given');
  requireIDList(segment);
  const all = editIDs('add', segment.ids, [...(add ?? []), ...(more ?? [])]);
  const ids = withoutIDs(all, remove);
  return { ...segment, ids, count: ids.length };
}
