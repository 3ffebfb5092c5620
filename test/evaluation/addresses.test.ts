import { describe, expect, test } from 'vitest';
import { canonicalAddress } from '../../src/engine/evaluation/addresses.ts';

describe('the canonical text of an address', () => {
  test.each([
    ['203.0.113.7', '203.0.113.7'],
    ['255.255.255.255', '255.255.255.255'],
    ['2001:db8::1', '2001:db8::1'],
    ['2001:0DB8:0:0:0:0:0:1', '2001:db8::1'],
    ['2001:db8:0:1:0:0:0:1', '2001:db8:0:1::1'],
    ['2001:db8:0:1:1:1:1:1', '2001:db8:0:1:1:1:1:1'],
    ['0:0:0:0:0:0:0:0', '::'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['0:0:0:0:0:FFFF:cb00:7107', '203.0.113.7'],
    ['::ffff:0:1', '0.0.0.1'],
    ['64:ff9b::203.0.113.7', '64:ff9b::cb00:7107'],
  ])('the canonical text of %s is %s', (text, canonical) => {
    expect(canonicalAddress(text)).toBe(canonical);
    expect(canonicalAddress(canonical)).toBe(canonical);
  });

  test.each([
    ...['', 'a', '10.0.0.0/8', '10.0.0', '10.0.0.0.0', '10.0.0.256', '010.0.0.1', '0x7f.0.0.1'],
    ...['10.0.0.1.', ' 10.0.0.1', '10.0.0.1\n', '10.0.0.*', '2130706433', '10.0.0.1:80'],
    ...[
      '2001:db8::/32',
      'fe80::1%eth0',
      '[::1]',
      '::1]',
      ':::',
      '1::2::3',
      '12345::',
      '1:2:3:4:5:6:7',
    ],
    ...['1:2:3:4:5:6:7:8:9', '::ffff:203.0.113.256', '::1.2.3', 'gg::1', '::1 '],
  ])('%j has no canonical text', (text) => {
    expect(canonicalAddress(text)).toBeUndefined();
  });
});
