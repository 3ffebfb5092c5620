import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isEqual } from '../../src/base/equal.ts';
import { conditionInWords, ruleInWords } from '../../src/page/base/rule_words.ts';
import {
  ago,
  lasting,
  nameOf,
  number,
  percent,
  placeOfProperty,
} from '../../src/page/base/words.ts';
import { differences } from '../../src/page/entity/review/compare.ts';
import { merge } from '../../src/page/entity/review/merge.ts';
import { stepsOf } from '../support/work.ts';

const rule = (id: string, passPercentage: number, name = `Rule ${id}`) => ({
  id,
  baseID: id,
  name,
  passPercentage,
  conditions: [{ type: 'public' }],
  environments: null,
});

const ids = ['a', 'b', 'c', 'd', 'e'];

const seed = 7;

/** A random state of few possible values, so that both sides often change the same part. */
const state = fc.record({
  description: fc.constantFrom('', 'one', 'two'),
  tags: fc.uniqueArray(fc.constantFrom<string>('x', 'y', 'z')),
  settings: fc.record({ required: fc.boolean(), size: fc.integer({ min: 0, max: 2 }) }),
  rules: fc
    .uniqueArray(fc.tuple(fc.constantFrom(...ids), fc.integer({ min: 0, max: 2 })), {
      selector: ([id]) => id,
    })
    .map((rules) => rules.map(([id, share]) => rule(id, share))),
});

type State = typeof state extends fc.Arbitrary<infer S> ? S : never;

/** The comparable parts of a state, without the order of lists. */
const facts = ({ description, tags, settings, rules }: State) =>
  new Map<string, unknown>([
    ['description', description],
    ['required', settings.required],
    ['size', settings.size],
    ...['x', 'y', 'z'].map((tag): [string, unknown] => [`tag ${tag}`, tags.includes(tag)]),
    ...ids.map((id): [string, unknown] => [
      `rule ${id}`,
      rules.find((one) => one.id === id)?.passPercentage,
    ]),
  ]);

const isState = (value: unknown): value is State => typeof value === 'object' && value !== null;

function merged(base: State, mine: State, theirs: State, side: 'mine' | 'theirs' = 'mine') {
  const { value, clashes } = merge(base, mine, theirs, () => side);
  if (!isState(value)) throw new Error('a merge of states is a state');
  return { value, facts: facts(value), clashes };
}

describe('a merge', () => {
  test('a merge contains every change of both sides, or reports a clash', () => {
    fc.assert(
      fc.property(state, state, state, (base, mine, theirs) => {
        const result = merged(base, mine, theirs);
        const [was, my, their] = [facts(base), facts(mine), facts(theirs)];
        const clashing = new Set(
          result.clashes.map(({ path }) => (path[0] === 'rules' ? `rule ${path[1]}` : path.at(-1))),
        );
        for (const [name, before] of was) {
          const [a, b] = [my.get(name), their.get(name)];
          const isClash = a !== before && b !== before && a !== b;
          expect(clashing.has(name), name).toBe(isClash);
          expect(result.facts.get(name), name).toBe(a === before ? b : a);
        }
      }),
      { numRuns: 2000, seed },
    );
  });

  test('a merge differs from each side only by the changes of the other', () => {
    fc.assert(
      fc.property(state, state, state, (base, mine, theirs) => {
        const result = merged(base, mine, theirs);
        if (result.clashes.length > 0) return;
        const changed = (from: State, to: State) =>
          [...facts(from)]
            .filter(([name, value]) => facts(to).get(name) !== value)
            .map(([name]) => name);
        const both = (from: State, to: State, other: State) =>
          changed(from, to).filter((name) => facts(other).get(name) !== facts(to).get(name));
        expect(changed(mine, result.value)).toEqual(both(base, theirs, mine));
        expect(changed(theirs, result.value)).toEqual(both(base, mine, theirs));
      }),
      { numRuns: 1000, seed },
    );
  });

  test('a merge with an unchanged side is the other side, and a chosen side wins clashes', () => {
    fc.assert(
      fc.property(state, state, state, (base, mine, theirs) => {
        expect(merge(base, mine, base).value).toEqual(mine);
        expect(merge(base, base, theirs).value).toEqual(theirs);
        const { facts: result, clashes } = merged(base, mine, theirs, 'theirs');
        for (const { path } of clashes.filter((clash) => clash.path[0] === 'rules'))
          expect(result.get(`rule ${path[1]}`)).toBe(facts(theirs).get(`rule ${path[1]}`));
      }),
      { seed },
    );
  });

  test('a merge keeps lists within a value whole', () => {
    const [base, mine, theirs] = [
      { ranking: ['a', 'b'], dup: ['x'], n: 1, items: [{ id: 'a' }, { id: 'b' }] },
      { ranking: ['b', 'a'], dup: ['x', 'x'], n: 1, items: [{ id: 'b' }, { id: 'a' }] },
      { ranking: ['a', 'b', 'c'], dup: ['x', 'y'], n: 2, items: [{ id: 'a' }] },
    ].map((defaultValue) => ({ defaultValue }));
    const { value, clashes } = merge(base, mine, theirs);
    expect(value).toEqual({ defaultValue: { ...mine?.defaultValue, n: 2 } });
    expect(clashes.map(({ path }) => path.join('.')).sort()).toEqual([
      'defaultValue.dup',
      'defaultValue.items',
      'defaultValue.ranking',
    ]);
  });

  test('a merge keeps the order of moved rules, with new ones after their neighbor', () => {
    const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((id) => rule(id, 1));
    const { value } = merge({ rules: [a, b, c] }, { rules: [c, a, b] }, { rules: [a, d, b, c] });
    expect(value).toEqual({ rules: [c, a, d, b] });
  });
});

const words = (before: object, after: object) =>
  differences(before, after).map(({ sign, text }) => `${sign} ${text}`);

describe('differences of rules in words', () => {
  test('a difference names the phase of a rule', () => {
    const phased = (...shares: number[]) => ({
      phases: shares.map((share, at) => ({
        id: `${at}`,
        name: `P${at}`,
        rules: [rule('a', share)],
      })),
    });
    expect(words(phased(10, 10), phased(10, 50))).toEqual([
      '± Phase “P1”, rule “Rule a” passes 10% → 50%',
    ]);
    const bare = { phases: [{ id: '0', name: 'P0', rules: [] }] };
    expect(words(bare, phased(10))).toEqual(['+ New phase “P0”, rule “Rule a”, place 1']);
  });

  test('a difference distinguishes items with one name by their contents', () => {
    const by = (groupName: string) => ({ type: 'gate', name: 'g', experimentName: 'e', groupName });
    const before = { overrides: { conditionalOverrides: [by('A'), by('B')] } };
    const after = { overrides: { conditionalOverrides: [by('C'), by('B')] } };
    expect(differences(before, after)).toEqual([
      {
        sign: '+',
        text: 'New conditional override “g”, place 1',
        lines: [{ sign: '+', text: 'type gate, experiment name e, group name C' }],
      },
      {
        sign: '-',
        text: 'Conditional override “g” removed',
        lines: [{ sign: '-', text: 'type gate, experiment name e, group name A' }],
      },
    ]);
    const alike = (...ids: string[]) => ({
      idOverrides: ids.map((id) => ({ groupName: 'A', ids: [id] })),
    });
    expect(words(alike('1', '2'), alike('1', '3'))).toEqual([
      '+ New ID override “group name A”, place 2',
      '- ID override “group name A” removed',
    ]);
    expect(words(alike('1'), alike('1', '1'))).toEqual(['± ID overrides changed']);
  });

  test('a difference distinguishes conditions of two types that read the same', () => {
    const value = { operator: 'any', targetValue: ['a@b.c'] };
    const email = { ...rule('a', 10), conditions: [{ type: 'email', ...value }] };
    const conditions = [{ type: 'custom_field', field: 'email', ...value }];
    expect(
      differences({ rules: [email] }, { rules: [{ ...email, conditions }] })[0]?.lines,
    ).toEqual([
      { sign: '-', text: 'email is any of a@b.c (email)' },
      { sign: '+', text: 'email is any of a@b.c (custom field)' },
    ]);
  });

  test('a new item is listed even if its name reads like a missing value', () => {
    const group = { name: 'A', size: 0, description: 'nothing', disabled: false, values: [] };
    expect(differences({ groups: [] }, { groups: [group] })[0]?.lines).toEqual([
      { sign: '+', text: 'share 0, description nothing' },
    ]);
    const override = { groupName: 'no', environment: null, ids: ['1'] };
    expect(words({ overrides: [] }, { overrides: [override] })).toEqual([
      '+ New override “group name no”, place 1',
    ]);
  });

  test('a difference lists changed, added, removed and moved rules', () => {
    const before = { rules: [rule('a', 10), rule('b', 20), rule('c', 30)] };
    const after = { rules: [rule('c', 30), rule('a', 50), rule('d', 100, 'New one')] };
    expect(words(before, after)).toEqual([
      '± Rule “Rule a” passes 10% → 50%',
      '+ New rule “New one”, place 3',
      '- Rule “Rule b” removed',
      '± Rules reordered',
    ]);
  });

  test('a difference lists changed conditions, texts, sets and values', () => {
    const country = { type: 'country', operator: 'any', targetValue: ['DE', 'AT'] };
    const [from, to] = [rule('a', 10), { ...rule('a', 10), conditions: [country] }];
    expect(differences({ rules: [from] }, { rules: [to] })).toEqual([
      {
        sign: '±',
        text: 'Rule “Rule a”: conditions',
        lines: [
          { sign: '-', text: 'everyone' },
          { sign: '+', text: 'country is any of DE, AT' },
        ],
      },
    ]);
    expect(
      words(
        { tags: ['x'], isGlobal: false, status: 'Disabled', lastModifiedTime: 1, version: 1 },
        { tags: ['y'], isGlobal: true, status: 'Launched', lastModifiedTime: 2, version: 2 },
      ),
    ).toEqual([
      '+ Tags: y',
      '- Tags without x',
      '± Add new gates: no → yes',
      '± Status: Disabled → Launched',
    ]);
  });

  test('a difference of a long condition shows added and removed values', () => {
    const users = Array.from({ length: 250 }, (_, n) => `user-${n}`);
    const ruled = (targetValue: string[]) => ({
      rules: [
        { ...rule('a', 10), conditions: [{ type: 'user_id', operator: 'any', targetValue }] },
      ],
    });
    const [without, others] = [users.toSpliced(200, 1), ['user-x', ...users].toSpliced(201, 1)];
    const lines = (after: string[]) =>
      differences(ruled(users), ruled(after))[0]?.lines?.map(({ text }) => text);
    expect(lines(others)).toEqual([
      'user ID is any of user-200, and 249 more',
      'user ID is any of user-x, and 249 more',
    ]);
    expect(lines(without)?.[0]).toBe('user ID is any of user-200, and 249 more');
    expect(lines(without)?.[1]).toMatch(/user-5, and 243 more$/);
  });

  test('a difference distinguishes texts of a condition from numbers', () => {
    const ruled = (targetValue: unknown) => ({
      rules: [
        {
          ...rule('a', 10),
          conditions: [{ type: 'custom_field', field: 'age', operator: 'any', targetValue }],
        },
      ],
    });
    const [difference] = differences(ruled(['1']), ruled([1]));
    expect(difference?.lines?.map(({ text }) => text)).toEqual([
      'age is any of ["1"]',
      'age is any of [1]',
    ]);
  });
});

describe('differences of text and values in words', () => {
  test('a difference shows types in words, and invisible spaces', () => {
    const typed = (type: string) => ({ type, name: type });
    expect(words(typed('TEMPORARY'), typed('PERMANENT'))).toEqual([
      '± Type: Temporary → Permanent',
      '± Name: TEMPORARY → PERMANENT',
    ]);
    expect(words({ description: 'a b' }, { description: 'a  b ' })).toEqual([
      '± Description: "a b" → "a  b "',
    ]);
  });

  test('a difference isolates right-to-left text', () => {
    const name = 'turned \u202e around';
    const [from, to] = [rule('a', 10, name), rule('a', 20, name)];
    expect(words({ rules: [from] }, { rules: [to] })).toEqual([
      `± Rule “\u2068${name}\u2069” passes 10% → 20%`,
    ]);
    expect(words({ description: 'שלום' }, { description: 'one' })).toEqual([
      '± Description: \u2068שלום\u2069 → one',
    ]);
  });

  test('a difference of long text or JSON shows only the changed lines', () => {
    const schema = (least: number) =>
      JSON.stringify({ type: 'object', properties: { size: { type: 'number', minimum: least } } });
    expect(differences({ schema: schema(1) }, { schema: schema(2) })).toEqual([
      {
        sign: '±',
        text: 'Schema changed',
        lines: [
          { sign: '-', text: '      "minimum": 1' },
          { sign: '+', text: '      "minimum": 2' },
        ],
      },
    ]);
    const long = 'a text of more than forty letters\n'.repeat(3);
    expect(differences({ prompt: long }, { prompt: `${long}more\n` })[0]?.lines).toEqual([
      { sign: '+', text: 'more' },
    ]);
  });

  test('a difference shows a value once, not again as JSON5', () => {
    const before = { defaultValue: { a: 1 }, defaultValueJson5: '{"a":1}' };
    const after = { defaultValue: { a: 2 }, defaultValueJson5: '{"a":2}' };
    expect(words(before, after)).toEqual(['± a: 1 → 2']);
  });

  const inConfig = (before: unknown, after: unknown) =>
    words({ defaultValue: before }, { defaultValue: after });

  test.each([
    [
      { count: 1, version: 1, isEnabled: true },
      { count: 500, version: 9, isEnabled: false },
      ['count: 1 → 500', 'version: 1 → 9', 'isEnabled: true → false'],
    ],
    [
      { m: [{ name: 'b', count: 1 }] },
      { m: [{ name: 'b', count: 7 }] },
      ['m: [{"name":"b","count":1}] → [{"name":"b","count":7}]'],
    ],
    [{ a: [], b: 1 }, { a: null, b: 2 }, ['a: [] → null', 'b: 1 → 2']],
    [{ waitTime: 30 }, { waitTime: 60 }, ['waitTime: 30 → 60']],
    [{ a: 1, b: true }, { a: '1', b: 'yes' }, ['a: 1 → "1"', 'b: true → "yes"']],
    [{ a: null, b: 1 }, { a: '' }, ['a: null → ""', 'b: 1 → nothing']],
    [{ a: [1, 2] }, { a: ['1', 2] }, ['a: [1,2] → ["1",2]']],
    [{ a: ['x', 'y'] }, { a: ['x', 'y', 'y'] }, ['a: ["x","y"] → ["x","y","y"]']],
    [
      { max_results: 1, maxResults: 1 },
      { max_results: 2, maxResults: 3 },
      ['max_results: 1 → 2', 'maxResults: 1 → 3'],
    ],
    [
      { ids: ['a'], hash: { sha256: 'b' } },
      { ids: ['b'], hash: { sha256: 'c' } },
      ['ids: ["a"] → ["b"]', 'hash.sha256: "b" → "c"'],
    ],
  ])('a difference shows every change within a value: %j', (before, after, texts) => {
    expect(inConfig(before, after)).toEqual(texts.map((text) => `± ${text}`));
  });

  test('a difference shows values as JSON if they read the same otherwise', () => {
    const named = (value: unknown) => ({ parameters: [{ name: 'p', value }] });
    expect(words(named('1'), named(1))).toEqual(['± Parameter “p”, value: "1" → 1']);
    expect(differences({ parameters: [] }, named(false))).toEqual([
      {
        sign: '+',
        text: 'New parameter “p”, place 1',
        lines: [{ sign: '+', text: 'value false' }],
      },
    ]);
    expect(words({ targetApps: [] }, { targetApps: null })).toEqual(['± Target apps: [] → null']);
    expect(words({ defaultValue: { length: 5000, sha256: 'a' } }, { defaultValue: {} })).toEqual([
      '± Default value: changed (too long to show)',
    ]);
    const lines = (end: string) => ({ defaultValue: { text: `one\ntwo\n${end}` } });
    expect(differences(lines('three'), lines('four'))[0]?.lines).toEqual([
      { sign: '-', text: 'three' },
      { sign: '+', text: 'four' },
    ]);
  });
});

test('differences of 50,000 IDs take linear work', async () => {
  const ids = Array.from({ length: 50_000 }, (_, n) => `user-${n}`);
  const after = { ids: [...ids, 'one more'] };
  const [one, ...others] = differences({ ids }, after);
  expect([one?.text, others]).toEqual([expect.stringContaining('one more'), []]);
  const steps = await stepsOf(() => differences({ ids }, after));
  expect(steps).toBeLessThan(100 * ids.length); // 50,000 for each ID if all pairs were compared
});

test('a changed condition among 3,000 is found in linear work', async () => {
  const conditions = Array.from({ length: 3000 }, (_, nth) => ({
    type: 'user_id',
    operator: 'any',
    targetValue: [`u-${nth}`],
  }));
  const other = { targetValue: ['other'], operator: 'any', type: 'user_id' };
  const stateOf = (asked: object[]) => ({ rules: [{ ...rule('a', 10), conditions: asked }] });
  const [before, after] = [stateOf(conditions), stateOf(conditions.with(-1, other))];
  expect(differences(before, after)).toMatchObject([
    { lines: [{ text: 'user ID is any of u-2999' }, { text: 'user ID is any of other' }] },
  ]);
  const steps = await stepsOf(() => differences(before, after));
  expect(steps).toBeLessThan(1000 * conditions.length);
  // The order of properties does not matter.
  const turned = { targetValue: ['u-0'], operator: 'any', type: 'user_id' };
  expect(differences(stateOf(conditions), stateOf(conditions.with(0, turned)))).toEqual([]);
});

test('places of fields are counted from 1', () => {
  expect(placeOfProperty('rules.0.conditions.1.targetValue')).toBe('Rule 1, condition 2, value');
  expect(placeOfProperty('groups')).toBe('Groups');
  expect(placeOfProperty('changes.3.name')).toBe('Change 4, name');
});

test('derived fields are not listed as differences', () => {
  const [before, after] = [
    { allocatedBuckets: [], currentPhaseID: 'one', actions: [] },
    { allocatedBuckets: [1, 2], currentPhaseID: 'two', actions: [{ type: 'SKIPPED' }] },
  ];
  expect(differences(before, after)).toEqual([]);
});

test('properties may have the names of members of Object', () => {
  const [before, after] = [{ value: { a: 1 } }, { value: { a: 1, constructor: 2 } }];
  expect(differences(before, after)).toEqual([{ sign: '±', text: 'constructor: nothing → 2' }]);
  expect(placeOfProperty('constructor.0')).toBe('Constructor 1');
});

test('names, rules and times are shown in words', () => {
  expect(nameOf('monitoringMetrics')).toBe('Monitoring metrics');
  expect(nameOf('targetingGateID')).toBe('Targeting gate');
  expect(nameOf('groupIDColumn')).toBe('Group ID column');
  expect(nameOf('idTypeMapping')).toBe('ID type mapping');
  expect(nameOf('userIDOverrides')).toBe('User ID overrides');
  expect(nameOf('sql')).toBe('SQL');
  expect(nameOf('holdoutIDs')).toBe('Holdout IDs');
  expect(ruleInWords({ ...rule('a', 12.5), environments: ['staging'] })).toBe(
    '12.5% of everyone, in staging',
  );
  expect(['50%', '', 0.5].map(percent)).toEqual(['50%', 'nothing', '0.5%']);
  expect(conditionInWords({ type: 'passes_gate', targetValue: 'employees' })).toBe(
    'passes gate employees',
  );
  // A number beyond all dates, which earlier versions of the API accepted.
  const nanoseconds = 1_767_225_600_000_000_000;
  const late = {
    type: 'custom_field',
    field: 'plan',
    operator: 'before',
    targetValue: nanoseconds,
  };
  expect(conditionInWords(late)).toBe(`plan before ${nanoseconds}`);
  expect([0, 60_000, 90_000, 3_600_000, 5_400_000, 86_400_000 * 7].map(lasting)).toEqual([
    'no wait',
    '1 minute',
    '1.5 minutes',
    '1 hour',
    '1.5 hours',
    '7 days',
  ]);
  expect(lasting(JSON.parse('"abc"'))).toBe('abc');
  expect([0, -1234.5, 0.25, 0.00004, -1e308].map(number)).toEqual([
    '0',
    '-1,234.5',
    '0.25',
    '0.00004',
    '-1e+308',
  ]);
  expect([1000, 3000, 31_000, 121_000].map((time) => ago(time, 1000))).toEqual([
    'just now',
    'just now', // the clock of the server is ahead
    'within a minute',
    'in 2 minutes',
  ]);
  expect(ago(0, 3_599_000)).toBe('59 minutes ago');
  expect(ago(0, 3 * 3_600_000)).toBe('3 hours ago');
  expect(ago(0, 35 * 3_600_000)).toBe('1 day ago'); // possibly the day before yesterday
});

test('two long lists are compared in one step for each item', async () => {
  const list = Array.from({ length: 200_000 }, (_, index) => `unit ${index}`);
  const copy = [...list];
  expect(await stepsOf(() => isEqual(list, copy))).toBe(list.length);
});
