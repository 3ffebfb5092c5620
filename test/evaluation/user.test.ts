import { describe, expect, test } from 'vitest';
import { fromUserAgent } from '../../src/engine/evaluation/conditions.ts';
import {
  contextUser,
  environmentOf,
  fieldOfUser,
  sdkTier,
  sdkUser,
  unitOf,
  withInferred,
} from '../../src/engine/evaluation/user.ts';
import { stepsOf } from '../support/work.ts';

describe('the user of an OpenFeature context', () => {
  test('has the targeting key as its user ID', () => {
    expect(unitOf(contextUser({ targetingKey: 'u-1' }), 'userID')).toBe('u-1');
    expect(unitOf(contextUser({ targetingKey: 7, userID: 'u-1' }), 'USERID')).toBe('7');
    expect(unitOf(contextUser({ userID: 'u-1' }), 'userID')).toBe('u-1');
    expect(unitOf(contextUser({ targetingKey: '', userID: 'u-1' }), 'userID')).toBe('u-1');
    expect(unitOf(contextUser({ targetingKey: '' }), 'userID')).toBeUndefined();
    expect(unitOf(contextUser({ targetingKey: '', userID: '' }), 'userID')).toBe('');
    expect(unitOf(contextUser({ targetingKey: null, userID: true }), 'userID')).toBeUndefined();
  });

  test.each(['email', 'ip', 'country', 'locale', 'userAgent', 'appVersion'])('has %s', (field) => {
    expect(fieldOfUser(contextUser({ [field]: 'a' }), field)).toBe('a');
    expect(fieldOfUser(contextUser({ [field]: 1.5 }), field)).toBe('1.5');
    expect(fieldOfUser(contextUser({ [field]: ['a'] }), field)).toBeUndefined();
  });

  test('accepts two other names of fields', () => {
    const user = contextUser({ user_agent: 'a', app_version: 2, appVersion: '3' });
    expect(fieldOfUser(user, 'userAgent')).toBe('a');
    expect(fieldOfUser(user, 'appVersion')).toBe('3');
  });

  test('has all other attributes as custom ones, including the environment', () => {
    const user = contextUser(
      { plan: 'pro', n: 1, list: ['a'], no: null, environment: 'staging', custom: { more: true } },
      'staging',
    );
    expect(user.custom).toMatchObject({ plan: 'pro', n: 1, list: ['a'], more: true });
    expect(fieldOfUser(user, 'environment')).toBe('staging');
    expect(fieldOfUser(user, 'no')).toBeUndefined();
    expect(user.tier).toBe('staging');
  });

  test('has text and number IDs, and finds others in its attributes', () => {
    const customIDs = { companyID: 'c-1', teamID: 7, flag: true, none: null };
    const user = contextUser({ customIDs, orgID: 'o-1', size: 5, staff: true });
    expect(unitOf(user, 'companyID')).toBe('c-1');
    expect(unitOf(user, 'COMPANYID')).toBe('c-1');
    expect(unitOf(user, 'teamID')).toBe(7);
    expect(unitOf(user, 'flag')).toBeUndefined();
    expect(unitOf(user, 'orgID')).toBe('o-1');
    expect(unitOf(user, 'size')).toBe('5');
    expect(unitOf(user, 'staff')).toBeUndefined();
  });
});

describe('the user of an SDK', () => {
  test('has top-level fields, and unit IDs only in customIDs', () => {
    const user = sdkUser({
      userID: 'u-1',
      deviceModel: 'X',
      customIDs: { CompanyID: 'c-1' },
      custom: { orgID: 'o-1', Plan: 'pro' },
      privateAttributes: { plan: 'private', secret: 's' },
    });
    expect(unitOf(user, 'userid')).toBe('u-1');
    expect(unitOf(user, 'companyid')).toBe('c-1');
    expect(unitOf(user, 'orgID')).toBeUndefined();
    expect(fieldOfUser(user, 'deviceModel')).toBe('X');
    expect(fieldOfUser(user, 'Plan')).toBe('pro');
    expect(fieldOfUser(user, 'plan')).toBe('private');
    expect(fieldOfUser(user, 'Secret')).toBe('s');
  });

  test('has the stable ID of its SDK unless it has one of its own', () => {
    expect(unitOf(sdkUser({}, undefined, 's-1'), 'stableID')).toBe('s-1');
    const own = sdkUser({ customIDs: { STABLEID: 's-2' } }, undefined, 's-1');
    expect(unitOf(own, 'stableID')).toBe('s-2');
    expect(unitOf(sdkUser({}, undefined, null), 'stableID')).toBeUndefined();
  });

  test('has the first of two names that differ only in case, if the name is in neither case', () => {
    const customIDs = { companyID: 'c-1', COMPANYID: 'c-2' };
    expect(unitOf(sdkUser({ customIDs }), 'companyid')).toBe('c-1');
  });

  test('finds its IDs without a search', async () => {
    const ids = Array.from({ length: 100_000 }, (_, index) => [`Type${index}`, index]);
    const user = sdkUser({ customIDs: Object.fromEntries(ids) });
    const steps = await stepsOf(() => {
      for (let count = 0; count < 1000; count++) {
        expect(unitOf(user, 'companyID')).toBeUndefined();
        expect(unitOf(user, 'TYPE99999')).toBe(99_999);
      }
    });
    expect(steps).toBeLessThan(20 * ids.length);
  });

  test('has an ID by another case of its name if the exact one is missing', () => {
    for (const customIDs of [
      { companyID: null, companyid: 'c-1' },
      { companyid: 'c-1', companyID: null },
      { COMPANYID: null, companyid: 'c-1' },
    ])
      expect(unitOf(sdkUser({ customIDs }), 'companyID')).toBe('c-1');
  });

  test('contains its environment', () => {
    expect(sdkTier({ statsigEnvironment: { Tier: 'staging' } })).toBe('staging');
    expect(sdkTier({ statsigEnvironment: 'staging' })).toBeUndefined();
  });
});

describe('a field', () => {
  test('is the first value that is not missing', () => {
    const custom = { plan: null, age: 1, Age: 2 };
    const user = sdkUser({ email: '', custom, privateAttributes: { plan: 'p', email: 'e' } });
    expect(fieldOfUser(user, 'plan')).toBe('p');
    expect(fieldOfUser(user, 'Age')).toBe(2);
    expect(fieldOfUser(user, 'AGE')).toBe(1);
    expect(fieldOfUser(user, 'email')).toBe('');
  });

  test('is never a container of fields', () => {
    const user = sdkUser({ customIDs: { a: '1' }, custom: {}, privateAttributes: {} });
    for (const place of ['customIDs', 'custom', 'privateAttributes', 'statsigEnvironment'])
      expect(fieldOfUser(user, place)).toBeUndefined();
  });

  test.each(['constructor', 'toString', '__proto__', 'hasOwnProperty'])(
    'may have the inherited name %s',
    (name) => {
      const hostile = JSON.parse(`{"${name}":"a","customIDs":{"${name}":"b"}}`);
      for (const user of [contextUser({}), sdkUser({})]) {
        expect(fieldOfUser(user, name)).toBeUndefined();
        expect(unitOf(user, name)).toBeUndefined();
      }
      expect(fieldOfUser(contextUser(hostile), name)).toBe('a');
      expect(fieldOfUser(sdkUser(hostile), name)).toBe('a');
      expect(unitOf(contextUser(hostile), name)).toBe('b');
      expect(unitOf(sdkUser(hostile), name)).toBe('b');
    },
  );
});

test('inferred fields count only if the user does not contain them', () => {
  const inferred = { ip: '203.0.113.7', country: 'DE', userAgent: undefined };
  const user = withInferred(contextUser({ country: 'FR', custom: { ip: '192.0.2.1' } }), inferred);
  expect(fieldOfUser(user, 'country')).toBe('FR');
  expect(fieldOfUser(user, 'ip')).toBe('192.0.2.1');
  expect(fieldOfUser(withInferred(sdkUser({ ip: null }), inferred), 'ip')).toBe('203.0.113.7');
  expect(fieldOfUser(user, 'userAgent')).toBeUndefined();
});

test.each([
  [null, undefined, 'production'],
  [null, '', 'production'],
  [null, 'qa', 'qa'],
  [['staging'], 'production', 'staging'],
  [['staging', 'production'], undefined, 'production'],
  [['staging', 'production'], 'Staging', 'staging'],
  [['staging', 'production'], 'qa', 'production'],
  [['staging', 'qa'], 'production', 'staging'],
  [['staging', 'qa'], 5, 'staging'],
])('a key of %j with the request for %j evaluates in %s', (allowed, asked, environment) => {
  expect(environmentOf(allowed, asked)).toBe(environment);
});

describe('a user agent', () => {
  const chrome = '(KHTML, like Gecko) Chrome/120.0.0.0';
  test.each([
    [
      `Mozilla/5.0 (Linux; Android 13; Pixel 7) AppleWebKit/537.36 ${chrome} Mobile Safari/537.36`,
      ['Chrome Mobile', '120.0.0.0', 'Android', '13'],
    ],
    [
      `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 ${chrome} Safari/537.36`,
      ['Chrome', '120.0.0.0', 'Linux', undefined],
    ],
    [
      'Mozilla/5.0 (Android 13; Tablet; rv:121.0) Gecko/121.0 Firefox/121.0',
      ['Firefox Mobile', '121.0', 'Android', '13'],
    ],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/16.2 Safari/605.1.15',
      ['Safari', '16.2', 'Mac OS X', '10.15.7'],
    ],
    ['curl/8.4.0', [undefined, undefined, undefined, undefined]],
  ])('%s', (agent, parsed) => {
    const names = ['browser_name', 'browser_version', 'os_name', 'os_version'];
    expect(names.map((name) => fromUserAgent(agent, name))).toEqual(parsed);
  });

  test('is not parsed if it is too long, or not a text', () => {
    expect(fromUserAgent(`Firefox/121.0 ${'x'.repeat(1000)}`, 'browser_name')).toBeUndefined();
    expect(fromUserAgent(5, 'browser_name')).toBeUndefined();
  });
});
