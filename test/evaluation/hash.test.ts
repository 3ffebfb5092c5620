import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  base64Hash,
  bucketOf,
  djb2,
  hexHash,
  listedHash,
} from '../../src/engine/evaluation/hash.ts';

const texts = Array.from({ length: 6000 }, (_, index) => `salt_${index % 7}.Zoë 🗻 ${index}`);

describe('the bucket of a text', () => {
  test.each([
    ['new_search.r1.u-1', 10_000, 3061],
    ['new_search.r1.u-2', 10_000, 2976],
    ['new_search.r1.', 10_000, 5386],
    ['new_search.r1.Zoë 🗻', 10_000, 9311],
    ['exp_plain:1790000000000.u-1', 1000, 708],
    ['lay.u-1', 1000, 907],
    ['exp_plain:allocation.u-1', 1000, 948],
  ])('is, for %j of %i buckets, %i', (text, count, bucket) => {
    expect(bucketOf(text, count)).toBe(bucket);
  });

  test('is the 64-bit number modulo the count', () => {
    for (const count of [1000, 10_000])
      for (const text of texts) {
        const whole = BigInt(`0x${hexHash(text).slice(0, 16)}`);
        expect(bucketOf(text, count)).toBe(Number(whole % BigInt(count)));
      }
  });

  test('is evenly distributed', () => {
    const counts = Array.from({ length: 10 }, () => 0);
    for (const text of texts) counts[bucketOf(text, 10)] = (counts[bucketOf(text, 10)] ?? 0) + 1;
    for (const count of counts) expect(Math.abs(count - 600)).toBeLessThan(100);
  });
});

describe('SHA-256', () => {
  /** From FIPS 180-4 and its published examples. */
  test.each([
    ['', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
    ['abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
    [
      'abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq',
      '248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1',
    ],
    [
      'abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu',
      'cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1',
    ],
    ['a'.repeat(1_000_000), 'cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0'],
  ])('is the published one', (text, expected) => {
    expect(hexHash(text)).toBe(expected);
  });

  const library = (text: string) => createHash('sha256').update(text);

  test('equals that of the platform for every length from 0 to 200 bytes', () => {
    for (let length = 0; length <= 200; length++) {
      const text = 'The quick brown fox. '.repeat(10).slice(0, length);
      expect(hexHash(text)).toBe(library(text).digest('hex'));
    }
  });

  test('equals that of the platform for characters of every plane of Unicode, at the end of a block too', () => {
    for (let plane = 0; plane <= 16; plane++)
      for (const code of [
        0x00, 0x7f, 0x80, 0x7ff, 0x800, 0xd7ff, 0xd800, 0xdfff, 0xe000, 0xfffe, 0xffff,
      ])
        for (const before of [0, 3, 51, 52, 53, 54, 55, 56, 60, 61, 62, 63, 64]) {
          const text = 'x'.repeat(before) + String.fromCodePoint(plane * 0x10000 + code);
          expect(hexHash(text)).toBe(library(text).digest('hex'));
        }
  });

  test('equals that of the platform in base64, also shortened for ID lists', () => {
    for (const text of texts.slice(0, 200)) {
      expect(base64Hash(text)).toBe(library(text).digest('base64'));
      expect(listedHash(text)).toBe(library(text).digest('base64').slice(0, 8));
    }
  });

  test('does not depend on the text hashed before', () => {
    const long = 'é'.repeat(100);
    for (const before of ['', 'a', long]) {
      hexHash(before);
      expect(hexHash('abc')).toBe(library('abc').digest('hex'));
    }
  });
});

test('names are hashed like in client SDKs', () => {
  expect(djb2('new_search')).toBe('732210471');
  expect(djb2('')).toBe('0');
});
