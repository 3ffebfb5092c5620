import { numberOf } from '../../../base/numbers.ts';
import { servedPatternFault } from '../../patterns/served.ts';
import { spellingsOf } from '../addresses.ts';
import { arrays, numbers, times } from '../condition_table.ts';
import type { ConditionEntity } from '../entities.ts';
import { hexHash } from '../hash.ts';
import { timeOf } from '../readings.ts';
import type { SpecCondition, SpecConditionType, SpecTarget } from '../spec.ts';

export function condition(
  type: SpecConditionType,
  given: Partial<Omit<SpecCondition, 'type'>> = {},
): SpecCondition {
  const defaults = { operator: null, field: null, targetValue: null, additionalValues: {} };
  return { type, ...defaults, idType: 'userID', isDeviceBased: false, ...given };
}

const fieldOfType: Record<string, [SpecConditionType, string | null]> = {
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

/** Returns the name of a segment's gate. */
export const segmentName = (id: string) => `segment:${id}`;

export interface GroupGate {
  readonly name: string;
  readonly experimentID: string;
  readonly groups: readonly string[];
}

/** Repeats the rules of the experiment, because SDKs reject a gate with an `experiment_group` condition. */
export function groupGate({ field = '', targetValue }: ConditionEntity): GroupGate {
  const groups = targetValue === undefined ? [] : [targetValue].flat().map(String);
  const digest = hexHash(JSON.stringify(groups)).slice(0, 8);
  return { name: `segment:experiment_group:${field}:${digest}`, experimentID: field, groups };
}

function gateDependency(given: ConditionEntity): [SpecConditionType, string] | undefined {
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
      return [given.operator === 'none' ? 'fail_gate' : 'pass_gate', groupGate(given).name];
    default:
      return undefined;
  }
}

const listOperators = new Set(['any', 'none', 'str_contains_any', 'str_contains_none']);

/** Matches nothing in any engine. */
const unmatchable = 'a^';

function targetFor(operator: string, target: ConditionEntity['targetValue']): SpecTarget {
  if (target === undefined) return null;
  if (listOperators.has(operator)) return [target].flat();
  if (arrays.includes(operator)) return target;
  const [value = null] = [target].flat(); // a single value may be in an array
  if (numbers.includes(operator)) return numberOf(value) ?? null;
  // In milliseconds, because not all SDKs accept seconds.
  if (times.includes(operator) || operator === 'on') return timeOf(value) ?? null;
  if (operator !== 'str_matches') return value;
  const pattern = String(value);
  return servedPatternFault(pattern) === undefined ? pattern : unmatchable;
}

/** Compiled to comparisons with null, which missing values equal. */
const nullComparisons: Record<string, string> = { is_null: 'eq', is_not_null: 'neq' };

/** SDKs compare text. */
const allSpellings = (target: ConditionEntity['targetValue']) =>
  target === undefined ? target : [target].flat().map(String).flatMap(spellingsOf);

function comparisonOfCondition({ type, operator, targetValue }: ConditionEntity) {
  if (operator === undefined) return {};
  const comparison = nullComparisons[operator];
  if (comparison) return { operator: comparison, targetValue: null };
  if (type === 'ip_address')
    return { operator, targetValue: targetFor(operator, allSpellings(targetValue)) };
  return { operator, targetValue: targetFor(operator, targetValue) };
}

/** Compiles a condition. A pattern also requires a value, because some SDKs match the text "undefined". */
export function compileCondition(given: ConditionEntity, idType: string): SpecCondition[] {
  const compiled = compileOne(given, idType);
  if (compiled.operator !== 'str_matches') return [compiled];
  return [{ ...compiled, operator: 'neq', targetValue: null }, compiled];
}

function compileOne(given: ConditionEntity, idType: string): SpecCondition {
  const dependency = gateDependency(given);
  if (dependency) return condition(dependency[0], { targetValue: dependency[1], idType });
  const { customID = '', field: custom_field = '' } = given;
  if (given.type === 'unit_id') return unitCondition(customID, comparisonOfCondition(given));
  if (given.type === 'custom_field')
    return condition('user_field', {
      ...comparisonOfCondition(given),
      field: custom_field,
      additionalValues: { custom_field },
      idType,
    });
  const place = fieldOfType[given.type];
  if (!place) return inEnvironments([]); // matches no environment, so that no one passes an unknown condition
  const [type, field] = place;
  return condition(type, { ...(type !== 'public' && comparisonOfCondition(given)), field, idType });
}

const unitCondition = (customID: string, rest: Partial<SpecCondition>): SpecCondition =>
  condition('unit_id', {
    ...rest,
    field: customID,
    additionalValues: { custom_id: customID },
    idType: customID,
  });

/** Matches unit IDs case-sensitively: IDs that differ in case are different units. */
export function isUnit(unit: string, ids: readonly string[]): SpecCondition {
  const listed = { operator: 'any_case_sensitive', targetValue: ids };
  return unit.toLowerCase() === 'userid'
    ? condition('user_field', { ...listed, field: 'userID' })
    : unitCondition(unit, listed);
}

/** Matches a unit on a list that is too long for a spec. */
export function isOnList(unit: string, segmentID: string): SpecCondition {
  return unitCondition(unit, { operator: 'in_segment_list', targetValue: segmentID });
}

export const inEnvironments = (
  environments: readonly string[],
  operator: 'any' | 'none' = 'any',
): SpecCondition =>
  condition('environment_field', { operator, field: 'tier', targetValue: environments });

export const passesGate = (name: string): SpecCondition =>
  condition('pass_gate', { targetValue: name });

export const failsGate = (name: string): SpecCondition =>
  condition('fail_gate', { targetValue: name });

/** Matches the bucket of 1,000 of a unit. */
export const inBucket = (
  operator: 'any' | 'none' | 'lt',
  targetValue: readonly number[] | number,
  { salt, idType }: { salt: string; idType: string },
): SpecCondition =>
  condition('user_bucket', { operator, targetValue, idType, additionalValues: { salt } });
