import fc from 'fast-check';
import parseJSON5 from 'json5/lib/parse.js';
import { describe, expect, test } from 'vitest';
import {
  hasDuplicateKeys,
  keepsValue,
  losesDigits,
  lossIn,
  numbersIn,
} from '../../src/base/number_loss.ts';

describe('a number beyond 2^53', () => {
  test.each([
    ...['9007199254740993', '12345678901234567890', '1234567890123456789e1', '9007199254740992.5'],
    ...['9.007199254740993e15', '0x20000000000001', '100000000000000000000001'],
  ])('%s loses digits', (number) => {
    expect([losesDigits(number), keepsValue(number)]).toEqual([true, false]);
  });

  test.each([
    ...['9007199254740991', '9007199254740992', '1e20', '100000000000000000000', '1e308', '1e23'],
    ...['1.2345678901234568e+22', '0x20000000000000', '0xFFFFFFFFFFFFF800', '9007199254740992.0'],
  ])('%s is held', (number) => {
    expect([losesDigits(number), keepsValue(number)]).toEqual([false, true]);
  });

  test.each(['0.1234567890123456789', '9007199254740993e-5', '1e400', '1e-400'])(
    '%s is not reported as a number beyond 2^53',
    (number) => {
      expect(losesDigits(number)).toBe(false);
    },
  );
});

describe('a text that is read as JSON5', () => {
  test('numbers of a JSON5 text are found among texts, comments and names', () => {
    const text = `{ a: +1, 'b 2': -.5, "c\\"3": 4., /* 5: 6 */ d7: [0x1F, 8e-1], // 9
      $1: Infinity, e: 1/**/, 'f': "10" }`;
    expect(parseJSON5(text)).toMatchObject({ a: 1, d7: [31, 0.8], e: 1 });
    expect(numbersIn(text)).toEqual(['1', '.5', '4.', '0x1F', '8e-1', '1']);
    expect(lossIn(text, parseJSON5(text))).toBeUndefined();
  });

  test.each([
    '{ a: 1, a: 2 }',
    `{ a: 1, "a": 2 }`,
    `{ a: { b: [{ c: 1, 'c': ':' }] } }`,
    '{"a":1,"\\u0061":2}',
    '{ a: 1, /* : */ a: 1 }',
  ])('%s has two members of one name', (text) => {
    expect(lossIn(text, parseJSON5(text))).toBe('must not have an object with duplicate keys');
  });

  test('a JSON5 text with unique names has no repeated name', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(undefined, 2), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        expect(hasDuplicateKeys(text, JSON.parse(text))).toBe(false);
      }),
      { seed: 7, numRuns: 500 },
    );
    const text = '{"__proto__":{"a":1},"constructor":":","":{}}';
    expect([
      hasDuplicateKeys(text, JSON.parse(text)),
      hasDuplicateKeys(text, parseJSON5(text)),
    ]).toEqual([false, false]);
  });
});
