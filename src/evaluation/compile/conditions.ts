import { spellingsOf } from '../../shared/addresses.ts';
import { arrays, numbers, times } from '../../shared/condition_table.ts';
import { numberOf } from '../../shared/numbers.ts';
import { servedPatternFault } from '../../shared/served_patterns.ts';
import type { ConditionEntity } from '../entities.ts';
import { hexHash } from '../hash.ts';
import { timeOf } from '../readings.ts';
import type { Condition, ConditionType, Target } from '../spec.ts';

/** The parts of a condition that differ from the plainest one: public, of users. */
export function condition(
  type: ConditionType,
  given: Partial<Omit<Condition, 'type'>> = {},
): Condition {
  const plain = { operator: null, field: null, targetValue: null, additionalValues: {} };
  return { type, ...plain, idType: 'userID', isDeviceBased: false, ...given };
}

/** Where the value of a condition is found, by the condition types that the API knows. */
const places: Record<string, [ConditionType, string | null]> = {
  public: ['public', null],
  user_id: ['user_field', 'userID'],
  email: ['user_field', 'email'],
  ip_address: ['user_field', 'ip'],
  locale: ['user_field', 'locale'],
  app_version: ['user_field', 'appVersion'],
  device_model: ['user_field', 'device_model'],
  url: ['user_field', 'url'],
  user_agent: ['user_field', 'userAgent'],
  country: ['ip_based', 'country'],
  browser_name: ['ua_based', 'browser_name'],
  browser_version: ['ua_based', 'browser_version'],
  os_name: ['ua_based', 'os_name'],
  os_version: ['ua_based', 'os_version'],
  environment_tier: ['environment_field', 'tier'],
  time: ['current_time', null],
  target_app: ['target_app', null],
};

/** The name of the gate that a segment is compiled to. */
export const segmentName = (id: string) => `segment:${id}`;

/** The gate that asks whether a user is in one of some groups of an experiment. */
export interface GroupQuestion {
  readonly name: string;
  readonly experimentID: string;
  readonly groups: readonly string[];
}

/**
 * What an `experiment_group` condition asks. It is compiled to a gate of its own, made of the experiment's rules,
 * because the SDKs give up on the whole gate where they meet such a condition, but agree on that gate.
 */
export function groupQuestion({ field = '', targetValue }: ConditionEntity): GroupQuestion {
  const groups = targetValue === undefined ? [] : [targetValue].flat().map(String);
  const digest = hexHash(JSON.stringify(groups)).slice(0, 8);
  return { name: `segment:experiment_group:${field}:${digest}`, experimentID: field, groups };
}

/** The gate that a condition asks, and whether it shall pass. */
function gateAsked(given: ConditionEntity): [ConditionType, string] | undefined {
  const target = String(given.targetValue);
  switch (given.type) {
    case 'passes_gate':
      return ['pass_gate', target];
    case 'fails_gate':
      return ['fail_gate', target];
    case 'passes_segment':
      return ['pass_gate', segmentName(target)];
    case 'fails_segment':
      return ['fail_gate', segmentName(target)];
    case 'experiment_group':
      return [given.operator === 'none' ? 'fail_gate' : 'pass_gate', groupQuestion(given).name];
    default:
      return undefined;
  }
}

const lists = new Set(['any', 'none', 'str_contains_any', 'str_contains_none']);

/** Matches nothing in any engine. */
const impossible = 'a^';

/** A target value in the form that its operator wants. */
function targetFor(operator: string, target: ConditionEntity['targetValue']): Target {
  if (target === undefined) return null;
  if (lists.has(operator)) return [target].flat();
  if (arrays.includes(operator)) return target;
  const [value = null] = [target].flat(); // one value may come as the array of it
  if (numbers.includes(operator)) return numberOf(value) ?? null;
  // In milliseconds, as not all SDKs know seconds.
  if (times.includes(operator) || operator === 'on') return timeOf(value) ?? null;
  if (operator !== 'str_matches') return value;
  const pattern = String(value);
  return servedPatternFault(pattern) === undefined ? pattern : impossible;
}

/** Operators without a target compare with null, which is what missing values equal. */
const nulls: Record<string, string> = { is_null: 'eq', is_not_null: 'neq' };

/** The targets of a condition on addresses: each in all spellings, as SDKs compare text. */
const spelled = (target: ConditionEntity['targetValue']) =>
  target === undefined ? target : [target].flat().map(String).flatMap(spellingsOf);

function compared({ type, operator, targetValue }: ConditionEntity) {
  if (operator === undefined) return {};
  const comparison = nulls[operator];
  if (comparison) return { operator: comparison, targetValue: null };
  if (type === 'ip_address')
    return { operator, targetValue: targetFor(operator, spelled(targetValue)) };
  return { operator, targetValue: targetFor(operator, targetValue) };
}

/**
 * Compiles a condition of a rule. Before a pattern stands that the value is not missing, since some SDKs would look for the
 * pattern in the text "undefined".
 * @param idType that of the entity whose rule it is
 */
export function compileCondition(given: ConditionEntity, idType: string): Condition[] {
  const compiled = compileOne(given, idType);
  if (compiled.operator !== 'str_matches') return [compiled];
  return [{ ...compiled, operator: 'neq', targetValue: null }, compiled];
}

/** A condition of a rule in the form of a spec. */
function compileOne(given: ConditionEntity, idType: string): Condition {
  const asked = gateAsked(given);
  if (asked) return condition(asked[0], { targetValue: asked[1], idType });
  const { customID = '', field: custom_field = '' } = given;
  if (given.type === 'unit_id') return unitCondition(customID, compared(given));
  if (given.type === 'custom_field')
    return condition('user_field', {
      ...compared(given),
      field: custom_field,
      additionalValues: { custom_field },
      idType,
    });
  const place = places[given.type];
  if (!place) return inEnvironments([]); // which nobody is in: what is not understood lets nobody pass
  const [type, field] = place;
  return condition(type, { ...(type !== 'public' && compared(given)), field, idType });
}

/** A condition on the id of a unit. */
const unitCondition = (customID: string, rest: Partial<Condition>): Condition =>
  condition('unit_id', {
    ...rest,
    field: customID,
    additionalValues: { custom_id: customID },
    idType: customID,
  });

/** One of these units, letter by letter: ids that differ in case are different units, and hashed as such. */
export function isUnit(unit: string, ids: readonly string[]): Condition {
  const listed = { operator: 'any_case_sensitive', targetValue: ids };
  return unit.toLowerCase() === 'userid'
    ? condition('user_field', { ...listed, field: 'userID' })
    : unitCondition(unit, listed);
}

/** One of the units of a list that is too long for a spec. */
export function isOnList(unit: string, segmentID: string): Condition {
  return unitCondition(unit, { operator: 'in_segment_list', targetValue: segmentID });
}

/** One of these environments, or none of them. */
export const inEnvironments = (
  environments: readonly string[],
  operator: 'any' | 'none' = 'any',
): Condition =>
  condition('environment_field', { operator, field: 'tier', targetValue: environments });

/** Whether a compiled gate, by its name, lets the user in. */
export const passesGate = (name: string): Condition =>
  condition('pass_gate', { targetValue: name });

/** Whether a compiled gate, by its name, keeps the user out. */
export const failsGate = (name: string): Condition => condition('fail_gate', { targetValue: name });

/** The bucket of 1,000 that a unit is in. */
export const inBucket = (
  operator: 'any' | 'none' | 'lt',
  targetValue: readonly number[] | number,
  { salt, idType }: { salt: string; idType: string },
): Condition =>
  condition('user_bucket', { operator, targetValue, idType, additionalValues: { salt } });
