import { describe, expect, test } from 'vitest';
import { compileCondition } from '../../src/engine/evaluation/compile/conditions.ts';
import { condition as schema } from '../../src/flags/rules/conditions.ts';
import { comparisons } from './support/conditions.ts';

/** Every condition type and every operator of the API. */
const types = [
  'user_id unit_id email device_model url locale user_agent custom_field app_version',
  'browser_version os_version browser_name os_name country ip_address environment_tier',
  'target_app time',
].flatMap((line) => line.split(' '));

const operators = [
  'any none str_contains_any str_contains_none str_matches gt gte lt lte version_gt version_gte',
  'version_lt version_lte before after on array_contains_any array_contains_none',
  'array_contains_all not_array_contains_all is_null is_not_null',
].flatMap((line) => line.split(' '));

/** A valid target value of an operator. */
function targetFor(type: string, operator: string) {
  if (type === 'ip_address') return ['203.0.113.7'];
  if (operator.startsWith('version')) return '1.2';
  if (operator.startsWith('str_matches')) return 'a';
  if (/^(gte?|lte?|before|after|on)$/.test(operator)) return 5;
  return ['a'];
}

test('the conditions compared with SDKs are all conditions of the API', () => {
  const more = { field: 'a', customID: 'a' };
  const taken = types.flatMap((type) =>
    operators
      .filter((operator) => {
        const given = { type, operator, targetValue: targetFor(type, operator), ...more };
        return schema.safeParse(given).success;
      })
      .map((operator) => `${type} ${operator}`),
  );
  const compared = comparisons.map(([, { type, operator }]) => `${type} ${operator}`);
  expect([...new Set(compared)].sort()).toEqual(taken.sort());
  for (const [name, given] of comparisons)
    expect([name, schema.safeParse(given).success]).toEqual([name, true]);
});

describe('a condition of a spec', () => {
  const allOf = (type: string, more = {}) => compileCondition({ type, ...more }, 'companyID');
  function compiled(type: string, more = {}) {
    const last = allOf(type, more).at(-1);
    if (!last) throw new Error('It is compiled to nothing.');
    return last;
  }

  test.each([
    ['user_id', 'user_field', 'userID'],
    ['email', 'user_field', 'email'],
    ['ip_address', 'user_field', 'ip'],
    ['locale', 'user_field', 'locale'],
    ['app_version', 'user_field', 'appVersion'],
    ['device_model', 'user_field', 'device_model'],
    ['url', 'user_field', 'url'],
    ['user_agent', 'user_field', 'userAgent'],
    ['country', 'ip_based', 'country'],
    ['browser_name', 'ua_based', 'browser_name'],
    ['browser_version', 'ua_based', 'browser_version'],
    ['os_name', 'ua_based', 'os_name'],
    ['os_version', 'ua_based', 'os_version'],
    ['environment_tier', 'environment_field', 'tier'],
    ['target_app', 'target_app', null],
  ])('%s reads %s %s', (given, type, field) => {
    expect(compiled(given, { operator: 'any', targetValue: 'a' })).toEqual({
      type,
      operator: 'any',
      field,
      targetValue: ['a'],
      additionalValues: {},
      idType: 'companyID',
      isDeviceBased: false,
    });
  });

  test('has defaults for everyone', () => {
    const plain = { type: 'public', operator: null, field: null, targetValue: null };
    expect(compiled('public')).toMatchObject(plain);
    expect(compiled('public', { operator: 'any', targetValue: ['a'] })).toMatchObject(plain);
  });

  test('contains its field or its ID type', () => {
    expect(compiled('custom_field', { field: 'plan', operator: 'gt', targetValue: '1e3' })).toEqual(
      expect.objectContaining({
        type: 'user_field',
        field: 'plan',
        targetValue: 1000,
        additionalValues: { custom_field: 'plan' },
      }),
    );
    expect(compiled('unit_id', { customID: 'orgID', operator: 'is_null' })).toEqual(
      expect.objectContaining({
        type: 'unit_id',
        field: 'orgID',
        operator: 'eq',
        targetValue: null,
        idType: 'orgID',
        additionalValues: { custom_id: 'orgID' },
      }),
    );
  });

  test.each([
    ['passes_gate', 'pass_gate', 'a_gate'],
    ['fails_gate', 'fail_gate', 'a_gate'],
    ['passes_segment', 'pass_gate', 'segment:a_gate'],
    ['fails_segment', 'fail_gate', 'segment:a_gate'],
  ])('%s compiles to %s of %s', (given, type, targetValue) => {
    expect(compiled(given, { targetValue: 'a_gate' })).toMatchObject({ type, targetValue });
  });

  test('depends on a gate of its own for groups, and on one gate for equal groups', () => {
    const asked = (operator: string, targetValue: string | string[], field = 'an_exp') =>
      compiled('experiment_group', { field, operator, targetValue });
    const name = asked('any', 'Test').targetValue;
    expect(name).toMatch(/^segment:experiment_group:an_exp:[0-9a-f]{8}$/);
    expect(asked('any', 'Test').type).toBe('pass_gate');
    expect(asked('none', ['Test'])).toMatchObject({ type: 'fail_gate', targetValue: name });
    expect(asked('any', ['Test', 'Control']).targetValue).not.toBe(name);
    expect(asked('any', 'Test', 'other').targetValue).not.toBe(name);
  });

  test.each([
    ['any', 'a', ['a']],
    ['none', 5, [5]],
    ['str_contains_any', 'a', ['a']],
    ['str_contains_none', ['a', 'b'], ['a', 'b']],
    ['array_contains_all', ['a'], ['a']],
    ['version_gt', '1.2', '1.2'],
    ['gt', '5.50', 5.5],
    ['before', '1790000000000', 1_790_000_000_000],
    ['on', 1_790_000_000, 1_790_000_000_000],
    ['str_matches', '^a+$', '^a+$'],
    ['str_matches', '(?=a)', 'a^'],
    ['str_matches', '^(a+)+$', 'a^'],
  ])('%s %j compares with %j', (operator, given, targetValue) => {
    const found = compiled('custom_field', { field: 'a', operator, targetValue: given });
    expect(found).toMatchObject({ operator, targetValue });
  });

  test('with a pattern first requires a value', () => {
    const pattern = { operator: 'str_matches', targetValue: 'a' };
    expect(allOf('unit_id', { customID: 'orgID', ...pattern })).toMatchObject([
      { type: 'unit_id', field: 'orgID', operator: 'neq', targetValue: null, idType: 'orgID' },
      { type: 'unit_id', field: 'orgID', ...pattern, idType: 'orgID' },
    ]);
    expect(allOf('email', { operator: 'any', targetValue: 'a' })).toHaveLength(1);
  });

  test.each([
    ['203.0.113.7', ['203.0.113.7', '::ffff:203.0.113.7']],
    ['::FFFF:CB00:7107', ['203.0.113.7', '::ffff:203.0.113.7', '::ffff:cb00:7107']],
    [
      '2001:DB8::1',
      ['2001:db8::1', '2001:db8:0:0:0:0:0:1', '2001:0db8:0000:0000:0000:0000:0000:0001'],
    ],
    [
      '2001:0db8::0:0:1',
      [
        '2001:db8::1',
        '2001:db8:0:0:0:0:0:1',
        '2001:0db8:0000:0000:0000:0000:0000:0001',
        '2001:0db8::0:0:1',
      ],
    ],
    ['::', ['::', '0:0:0:0:0:0:0:0', '0000:0000:0000:0000:0000:0000:0000:0000']],
    ['10.0.0.0/8', ['10.0.0.0/8']],
  ])('on the address %s lists its spellings', (given, targetValue) => {
    const found = compiled('ip_address', { operator: 'any', targetValue: given });
    expect(found).toMatchObject({ field: 'ip', operator: 'any', targetValue });
  });

  test('of an unknown type holds for no one', () => {
    expect(compiled('moon_phase', { operator: 'none', targetValue: [] })).toMatchObject({
      type: 'environment_field',
      operator: 'any',
      targetValue: [],
    });
  });
});
