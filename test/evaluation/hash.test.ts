import { describe, expect, test } from 'vitest';
import { base64Hash, bucketOf, djb2, hexHash, listedHash } from '../../src/evaluation/hash.ts';

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

test('SHA-256 equals the result of the platform, in hexadecimal digits and base64', async () => {
  for (const text of texts.slice(0, 50)) {
    const bytes = new Uint8Array(
      await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)),
    );
    expect(hexHash(text)).toBe([...bytes].map((b) => b.toString(16).padStart(2, '0')).join(''));
    expect(base64Hash(text)).toBe(btoa(String.fromCharCode(...bytes)));
    expect(listedHash(text)).toBe(base64Hash(text).slice(0, 8));
  }
});

test('names are hashed like in client SDKs', () => {
  expect(djb2('new_search')).toBe('732210471');
  expect(djb2('')).toBe('0');
});
