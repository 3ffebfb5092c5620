import { describe, expect, test } from 'vitest';
import { matcherOf, patternFault } from '../../src/engine/patterns/patterns.ts';
import { call, invalidPropertiesOf, ok } from '../support/client.ts';
import { makeDynamicConfig, unique } from '../support/factories.ts';
import { stepsOf } from '../support/work.ts';

const ruleOf = (targetValue: unknown) => ({
  name: 'Only these',
  passPercentage: 100,
  conditions: [{ type: 'email', operator: 'str_matches', targetValue }],
});

/** Returns the error message for a gate with a pattern, or undefined if the pattern is accepted. */
async function faultOf(pattern: string): Promise<string | undefined> {
  const body = { name: unique('Patterned'), rules: [ruleOf(pattern)] };
  const { status, body: answer } = await call('POST', 'gates', { body });
  if (status === 201) return undefined;
  expect([status, answer.errors[0].property]).toEqual([400, 'rules.0.conditions.0.targetValue']);
  return answer.errors[0].errorMessage;
}

describe('a pattern of str_matches', () => {
  const accepted = [
    '^.*@example\\.com$',
    '^(\\d{1,3}\\.){3}\\d{1,3}$',
    '(ab?)*(\\w+\\.){2}',
    '(a+){10}',
    '\\d{3}\\-\\d{4}',
    '[^\\s@]+@[\\w.]+',
    '(?<n>a|b)*',
    '[\\[&~-]--&&\\\\0{2,5}',
    '[^-\\w][\\w.-][a-z-\\d]\\w-.[\\\\d-z]\\[\\w-.',
    '😀',
  ];

  test.each(accepted)('the pattern %s is accepted', async (pattern) => {
    expect(await faultOf(pattern)).toBeUndefined();
  });

  test.each([
    ['(', 'must be a regular expression'],
    ['(?=a)b', 'must not look ahead or behind'],
    ['(?<!a)b', 'must not look ahead or behind'],
    ['(a)\\1', 'must not have backreferences'],
    ['(?i:a)', 'must not change flags'],
    ['\\Aa\\z', 'must not have the escape \\A'],
    ['[\\p{L}]', 'must not have the escape \\p'],
    ['((a{50}){50}){50}', 'with repetitions written out'],
    ['((a{50}){99})*', 'with repetitions written out'],
    ['(a+){11}$', 'must not repeat a repetition'],
    ['(a+)+$', 'must not repeat a repetition'],
    ['^(x|(?:a*b)?)*$', 'must not repeat a repetition'],
    ['(a{1,2}){1,30}$', 'must not repeat a repetition'],
    ['((a{0,10}){0,10}){0,10}b', 'must not repeat a repetition'],
    ['((a+){4}){3}$', 'must not repeat a repetition'],
    ['[a-z&&[aeiou]]', 'must not have && at character 5'],
    ['x[+--]', 'must not have -- at character 4'],
    ['[a~~b]', 'must not have ~~ at character 3'],
    ['\\d[[:alpha:]]', 'must not have [ at character 4'],
    ['[]a]', 'must not have [] at character 1'],
    ['[^]', 'must not have [^] at character 1'],
    ['a{,5}', 'must not have {,5} at character 2'],
    ['a{,}', 'must not have {,} at character 2'],
    ['a\\cA', 'must not have \\c at character 2'],
    ['^[\\w-\\.]+@', 'must not have \\w-\\. at character 3'],
    ['[a-z.-\\d]', 'must not have .-\\d at character 5'],
    ['a\\0', 'must not have \\0 at character 2'],
    ['\\<a\\>', 'must not have \\< at character 1'],
    ['a'.repeat(1001), 'must be at most 1000 characters long'],
  ])('the pattern %s is 400: %s', async (pattern, message) => {
    expect(await faultOf(pattern)).toContain(message);
  });

  test('a pattern may have 1,000 characters', async () => {
    expect(await faultOf('a'.repeat(1000))).toBeUndefined();
  });
});

describe('a match', () => {
  const pieces = [
    ...[
      'a',
      'b',
      'A',
      '1',
      '_',
      '-',
      ' ',
      '.',
      'é',
      '😀',
      '\\d',
      '\\D',
      '\\w',
      '\\W',
      '\\s',
      '\\S',
      '\\b',
    ],
    ...[
      '^',
      '$',
      '[ab]',
      '[^a]',
      '[a-c1]',
      '[\\w-]',
      '[^\\s]',
      '[]',
      '[^]',
      '[\\b]',
      '\\n',
      '\\x41',
      '\\u0041',
    ],
    ...[
      '\\.',
      '\\-',
      '\\cA',
      '\\0',
      '{',
      '}',
      ']',
      '[😀a]',
      '(?<n>a)',
      '[[:alpha:]]',
      '[]a]',
      '\\ud83d',
    ],
  ];
  const quantifiers = ['*', '+', '?', '{2}', '{1,3}', '{0,2}', '{2,}', '*?', '{,2}', '{0}', '{2'];
  const characters = [...'aabbA1_- \n\r\u2028é😀\0\b{}][:.\ufeff2', '\ud83d', '\ude00'];

  /** Returns random numbers from 0 to 1, the same for a seed. */
  function numbers(seed: number) {
    let state = seed;
    return () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return state / 2 ** 32;
    };
  }

  /** Generates random patterns and texts, with or without the flag "u". */
  function* madeUp(flags: '' | 'u', count: number) {
    const next = numbers(7);
    const oneOf = (items: string[]) => items[Math.floor(next() * items.length)] ?? '';
    const pattern = (depth: number): string => {
      const form = next();
      if (depth === 0 || form < 0.4) return oneOf(pieces);
      if (form < 0.65) return pattern(depth - 1) + pattern(depth - 1);
      if (form < 0.75) return `(?:${pattern(depth - 1)}|${pattern(depth - 1)})`;
      return `(${pattern(depth - 1)})${oneOf(quantifiers)}`;
    };
    for (let made = 0; made < count; made++) {
      const source = pattern(4);
      const text = Array.from({ length: Math.floor(next() * 7) }, () => oneOf(characters)).join('');
      if (patternFault(source, flags) === undefined) yield { source, text };
    }
  }

  test.each(['', 'u'] as const)(
    'a match equals the result of RegExp with the flags "%s"',
    (flags) => {
      const wrong = [...madeUp(flags, 20_000)].filter(
        ({ source, text }) =>
          matcherOf(source, flags)(text) !== new RegExp(source, flags).test(text),
      );
      expect(wrong).toEqual([]);
    },
  );

  test.each(['(a+)+b', '(a|a)*b', '(a*)*b', '(?:a|aa)+b', 'a*a*a*a*b', '.*.*.*b'])(
    'a match of %s takes steps in proportion to the text',
    (pattern) => {
      const matches = matcherOf(pattern);
      const stepsFor = (length: number) => {
        let steps = 0;
        matches('a'.repeat(length), (more) => {
          steps += more;
        });
        return steps;
      };
      expect(stepsFor(20_000) / stepsFor(10_000)).toBeCloseTo(2, 1);
      expect(stepsFor(10_000)).toBeLessThan(1_000_000);
    },
  );
});

describe('the schema of a dynamic config', () => {
  /** Returns the fields of the errors when a config with a schema is created. */
  const named = (schema: object, defaultValue: object) =>
    invalidPropertiesOf('POST', 'dynamic_configs', {
      name: unique('Schemed'),
      schema: JSON.stringify(schema),
      defaultValue,
    });

  test('a schema may contain patterns, which need bounded work', async () => {
    const schema = { patternProperties: { '^(a+)+$': { pattern: '(b|b)*c' } } };
    const defaultValue = { ['a'.repeat(40)]: 'b'.repeat(40) };
    expect(await named(schema, defaultValue)).toEqual(['defaultValue']);
    expect(await named({ properties: { a: { pattern: '(?=a)' } } }, {})).toEqual(['schema']);
    expect(await named({ patternProperties: { '(a)\\1': {} } }, {})).toEqual(['schema']);
  });

  /** A definition that refers to the next one twice; the last accepts everything. */
  const doubled = (next: number) =>
    next < 60 ? { allOf: [1, 2].map(() => ({ $ref: `#/$defs/d${next}` })) } : {};

  test.each([
    [
      'references that double at each level',
      Object.fromEntries(Array.from({ length: 60 }, (_, turn) => [`d${turn}`, doubled(turn + 1)])),
      { $ref: '#/$defs/d0' },
      {},
    ],
    [
      '2,000 parts that each visit 5,000 items',
      {},
      {
        properties: {
          a: { allOf: Array.from({ length: 2000 }, () => ({ items: { type: 'number' } })) },
        },
      },
      { a: Array.from({ length: 5000 }, () => 1) },
    ],
    [
      'a pattern that keeps many matches open',
      {},
      { properties: { a: { pattern: '[ab]*a[ab]{900}[^ab]' } } },
      { a: 'ab'.repeat(100_000) },
    ],
  ])('a schema with %s is 400', async (_, $defs, schema, value) => {
    expect(await named({ ...schema, $defs }, value)).toEqual(['schema']);
  });

  test('uniqueItems finds a duplicate among 20,000 items without comparing all pairs', async () => {
    const schema = JSON.stringify({ properties: { a: { uniqueItems: true } } });
    const items = Array.from({ length: 20_000 }, (_, index) => ({ n: index }));
    const steps = await stepsOf(() => makeDynamicConfig({ schema, defaultValue: { a: items } }));
    expect(steps).toBeLessThan(10_000_000); // 200 million if each item is compared with each
    const body = { name: unique('Repeated'), schema, defaultValue: { a: [...items, { n: 3 }] } };
    const { body: answer } = await call('POST', 'dynamic_configs', { body });
    expect(answer.message).toContain('Duplicate items at indexes 3 and 20000');
  });

  test('a schema with common keywords is accepted and enforced', async () => {
    const schema = JSON.stringify({
      type: 'object',
      required: ['colours'],
      properties: {
        colours: { type: 'array', items: { pattern: '^#[0-9a-f]{6}$' }, uniqueItems: true },
      },
      patternProperties: { '^x-': { enum: [{ a: 1, b: 2 }] } },
      additionalProperties: false,
    });
    const { id } = await makeDynamicConfig({
      schema,
      defaultValue: { colours: ['#00ff00'], 'x-b': { b: 2, a: 1 } },
    });
    const patch = (defaultValue: object) =>
      invalidPropertiesOf('PATCH', `dynamic_configs/${id}`, { defaultValue });
    expect(await patch({ colours: ['green'] })).toEqual(['defaultValue']);
    expect(await patch({ colours: [], 'x-b': { b: 1, a: 1 } })).toEqual(['defaultValue']);
    expect(await patch({ colours: [], other: 1 })).toEqual(['defaultValue']);
    await ok('PATCH', `dynamic_configs/${id}`, { defaultValue: { colours: [] } });
  });
});
