import { expect, test } from 'vitest';
import { repeatsRepetition } from '../../src/shared/pattern.ts';

test.each([
  '(a+)+',
  '^(a+)+$',
  '(a*)*b',
  '([a-z]+)*',
  '(\\w+\\s?)*$',
  '((a+)b?)+',
  '(a|b+)*',
  '(?:x+y*)+?',
  '(a{2,})+',
  '(a{1,2})*',
  '(a+){10}',
  '(a{1,9}){9}',
  '((a{1,3}){3}b){9}',
  '(?<word>\\S+)+',
  '(?=(a+)+b)',
])('%s repeats what repeats', (pattern) => {
  expect(new RegExp(pattern)).toBeInstanceOf(RegExp);
  expect(repeatsRepetition(pattern)).toBe(true);
});

test.each([
  '',
  'a+b*c{2,}',
  '^[\\w.]+@example\\.(com|org)$',
  '(abc)+',
  '(a|b)*',
  '(a+)',
  '(a+)?',
  '(a+){1}',
  '(a+){0,1}',
  '(a+)(b)+',
  '(\\d{1,3}\\.){3}\\d{1,3}',
  '(\\d{4}-){3}',
  '(https?)+',
  '(\\(a+\\))',
  '([(a+)])+',
  '(\\++)',
  '\\(a+\\)+',
  '(?<=a+)b+',
])('%s does not', (pattern) => {
  expect(new RegExp(pattern)).toBeInstanceOf(RegExp);
  expect(repeatsRepetition(pattern)).toBe(false);
});

test('a long pattern is read in one go', () => {
  const started = performance.now();
  expect(repeatsRepetition('(a+)'.repeat(100_000))).toBe(false);
  expect(performance.now() - started).toBeLessThan(1000);
});
