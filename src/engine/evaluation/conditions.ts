import UAParser from 'ua-parser-js';
import { memoize } from '../../base/memoize.ts';
import { canonicalAddress } from './addresses.ts';
import { bucketCount } from './buckets.ts';
import type { EvaluationContext } from './context.ts';
import { bucketOf } from './hash.ts';
import { satisfies } from './operators.ts';
import { textOfValue } from './readings.ts';
import type { SpecCondition } from './spec.ts';
import { fieldOfUser, unitOf } from './user.ts';

/** Characters; the time to parse grows with the length. */
const maxAgentCharacters = 1000;

type ParsedAgent = ReadonlyMap<string, string | undefined>;

let last: { agent: string; parsed: ParsedAgent } | undefined;

/** Returns `browser_name`, `browser_version`, `os_name` or `os_version` of a user agent. */
export function fromUserAgent(agent: unknown, field: string): string | undefined {
  if (typeof agent !== 'string' || agent.length > maxAgentCharacters) return undefined;
  if (last?.agent !== agent) last = { agent, parsed: parsedAgent(agent) };
  return last.parsed.get(field);
}

/** Two names differ from the parser's, to match the server SDKs. */
function parsedAgent(agent: string): ParsedAgent {
  const { browser, os, device } = new UAParser(agent).getResult();
  const isHandheld = device.type === 'mobile' || device.type === 'tablet';
  const hasMobile = browser.name === 'Chrome' || browser.name === 'Firefox';
  return new Map([
    ['browser_name', isHandheld && hasMobile ? `${browser.name} Mobile` : browser.name],
    ['browser_version', browser.version],
    ['os_name', os.name === 'Mac OS' ? 'Mac OS X' : os.name],
    ['os_version', os.version],
  ]);
}

/** Returns the text of a unit ID for hashing; a missing unit is hashed as "". */
export const hashedUnit = (unit: unknown): string => textOfValue(unit) ?? '';

function bucketSeen(
  context: EvaluationContext,
  { idType, additionalValues }: SpecCondition,
): number {
  const text = `${additionalValues.salt}.${hashedUnit(unitOf(context.user, idType))}`;
  context.draws ??= new Map();
  const cached = context.draws.get(text);
  if (cached !== undefined) return cached;
  const bucket = bucketOf(text, bucketCount);
  context.draws.set(text, bucket);
  return bucket;
}

/** Returns the value that a condition compares; undefined for conditions on gates. */
export function valueSeen(context: EvaluationContext, condition: SpecCondition): unknown {
  const { user, now, project } = context;
  const { type, field, idType } = condition;
  const name = field ?? '';
  switch (type) {
    case 'user_field':
    case 'ip_based': // countries are not looked up by address: apps send them
      return fieldOfUser(user, name);
    case 'ua_based':
      return fieldOfUser(user, name) ?? fromUserAgent(fieldOfUser(user, 'userAgent'), name);
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

const setOf = memoize((ids: readonly string[]) => new Set(ids));

/** SDKs compare 48 bits of a hash of each ID. Here the IDs themselves are available. */
const isListed = (ids: readonly string[], unit: string) => setOf(ids).has(unit);

/** Whether a condition compares the IP address. Its targets are in canonical form. */
const isOnAddress = ({ type, field, additionalValues }: SpecCondition) =>
  type === 'user_field' && field === 'ip' && additionalValues.custom_field === undefined;

const comparableValue = (condition: SpecCondition, seen: unknown) =>
  isOnAddress(condition) && typeof seen === 'string' ? (canonicalAddress(seen) ?? seen) : seen;

/** Whether a condition, other than one on a gate, holds for a value. */
export function holdsFor(
  { project, patterns }: EvaluationContext,
  condition: SpecCondition,
  seen: unknown,
): boolean {
  if (condition.type === 'public') return true;
  if (condition.operator !== 'in_segment_list')
    return satisfies(condition, comparableValue(condition, seen), patterns);
  const ids = project.idLists.get(String(condition.targetValue));
  const unit = textOfValue(seen);
  return ids !== undefined && unit !== undefined && isListed(ids, unit);
}
