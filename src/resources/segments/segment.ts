import type * as z from 'zod';
import { Problem } from '../../problem.ts';
import { merge, show } from '../../shared/fields.ts';
import { newID } from '../../shared/ids.ts';
import { editIDs, withoutIDs } from '../../shared/overrides.ts';
import { withRuleIDs } from '../../shared/rules.ts';
import type { Draft } from '../../store/core/transaction.ts';
import {
  type idListPatch,
  idListResponse,
  type Segment,
  type segmentCreate,
  type segmentPatch,
} from './schema.ts';

/** What must hold of the rules of a segment: 400 names the property at fault. */
function check<S extends Pick<Segment, 'type' | 'rules'>>(segment: S): S {
  const { type, rules } = segment;
  if (type === 'id_list' && rules.length > 0)
    throw Problem.property('rules', 'must be empty for a segment of type id_list');
  return segment;
}

/** A new segment from the body of its creation. */
export function newSegment(body: z.infer<typeof segmentCreate>): Draft<Segment> {
  const { rules = [], ...given } = body;
  return check({
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

/** A segment after a partial update; 400 for another type. */
export function patchSegment(segment: Segment, body: z.infer<typeof segmentPatch>): Segment {
  const { rules, type = segment.type, ...given } = body;
  if (type !== segment.type)
    throw Problem.property('type', `must be ${segment.type}; it is fixed at creation`);
  return check(merge(segment, { ...given, rules: rules && withRuleIDs(rules, segment.rules) }));
}

/** 400 for a segment from elsewhere in a state that no change leads to: an id_list has ids, each once, and counts them. */
export function requireSegmentReached({ type, ids, count }: Segment): void {
  if (type !== 'id_list' && ids.length > 0)
    throw Problem.property('ids', `must be empty for a segment of type ${type}`);
  if (new Set(ids).size < ids.length) throw Problem.property('ids', 'must each be there once');
  if (count !== ids.length) throw Problem.property('count', 'must be how many ids there are');
}

function requireIDList({ type }: Segment): void {
  if (type === 'id_list') return;
  throw new Problem(
    'transition',
    `The segment is of type ${type}; only id_list has a list of ids.`,
  );
}

/** The ids of a segment; 409 where it is rule_based. */
export function viewIDList(segment: Segment): z.infer<typeof idListResponse> {
  requireIDList(segment);
  return show(idListResponse, segment);
}

/** A segment that lists leave out, and that nothing new may refer to; it answers those that do as before. */
export const archiveSegment = (segment: Segment): Segment => ({ ...segment, status: 'archived' });

/** Brings an archived segment back; another stays as it is. */
export const unarchiveSegment = (segment: Segment): Segment => ({ ...segment, status: 'active' });

/** A segment with ids added and removed; 400 where neither is given, 409 where it is rule_based. */
export function patchIDList(segment: Segment, body: z.infer<typeof idListPatch>): Segment {
  const { add, ids: more, remove } = body;
  if (!add && !more && !remove)
    throw Problem.property('add', 'is required where there is no remove');
  requireIDList(segment);
  const all = editIDs('add', segment.ids, [...(add ?? []), ...(more ?? [])]);
  const ids = withoutIDs(all, remove);
  return { ...segment, ids, count: ids.length };
}
