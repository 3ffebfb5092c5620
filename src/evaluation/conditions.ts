import { canonicalAddress } from '../shared/addresses.ts';
import { madeOnce } from '../shared/made_once.ts';
import { bucketCount } from './buckets.ts';
import type { Context } from './context.ts';
import { bucketOf } from './hash.ts';
import { satisfies } from './operators.ts';
import { textOf } from './readings.ts';
import type { Condition } from './spec.ts';
import { fieldOf, unitOf } from './user.ts';
import { fromUserAgent } from './user_agent.ts';

/** The text by which a unit is hashed; a missing unit counts as "". */
export const hashedUnit = (unit: unknown): string => textOf(unit) ?? '';

/** The bucket of 1,000 that a unit draws; the same draw decides several conditions, so it is made once. */
function bucketSeen({ user, draws }: Context, { idType, additionalValues }: Condition): number {
  const text = `${additionalValues.salt}.${hashedUnit(unitOf(user, idType))}`;
  const bucket = draws.get(text) ?? bucketOf(text, bucketCount);
  draws.set(text, bucket);
  return bucket;
}

/** What a condition looks at; gates it asks are not looked at here. */
export function valueSeen(context: Context, condition: Condition): unknown {
  const { user, now, project } = context;
  const { type, field, idType } = condition;
  const name = field ?? '';
  switch (type) {
    case 'user_field':
    case 'ip_based': // no country is looked up from an address: apps give it
      return fieldOf(user, name);
    case 'ua_based':
      return fieldOf(user, name) ?? fromUserAgent(fieldOf(user, 'userAgent'), name);
    case 'unit_id':
      return unitOf(user, idType);
    case 'environment_field':
      return user.tier;
    case 'current_time':
      return now;
    case 'user_bucket':
      return bucketSeen(context, condition);
    case 'target_app':
      return project.targetAppID;
    default:
      return undefined;
  }
}

/** The sets of long lists, each made when it is first asked. */
const setOf = madeOnce((ids: readonly string[]) => new Set(ids));

/** Whether a unit is on a list. SDKs hold 48 bits of a hash of each id; the ids themselves need no hashing here. */
const isListed = (ids: readonly string[], unit: string) => setOf(ids).has(unit);

/** Whether a condition compares the address of a user, of which its targets have the canonical text. */
const isOnAddress = ({ type, field, additionalValues }: Condition) =>
  type === 'user_field' && field === 'ip' && additionalValues.custom_field === undefined;

/** The value that a condition compares: an address in its canonical text, others as they are. */
const comparable = (condition: Condition, seen: unknown) =>
  isOnAddress(condition) && typeof seen === 'string' ? (canonicalAddress(seen) ?? seen) : seen;

/** Whether a condition that asks no gate holds for the value that it sees. */
export function holdsFor(
  { project, patterns }: Context,
  condition: Condition,
  seen: unknown,
): boolean {
  if (condition.type === 'public') return true;
  if (condition.operator !== 'in_segment_list')
    return satisfies(condition, comparable(condition, seen), patterns);
  const ids = project.idLists.get(String(condition.targetValue));
  const unit = textOf(seen);
  return ids !== undefined && unit !== undefined && isListed(ids, unit);
}
