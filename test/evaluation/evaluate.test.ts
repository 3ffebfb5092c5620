import { describe, expect, test } from 'vitest';
import { compileSpec, unboundedScope } from '../../src/engine/evaluation/compile.ts';
import { contextOf } from '../../src/engine/evaluation/context.ts';
import type { Entities } from '../../src/engine/evaluation/entities.ts';
import { evaluate, explicitParameters, groupName } from '../../src/engine/evaluation/evaluate.ts';
import { bucketOf } from '../../src/engine/evaluation/hash.ts';
import { sdkUser } from '../../src/engine/evaluation/user.ts';
import { stepsOf } from '../support/work.ts';
import {
  dynamicConfig,
  entities,
  experiment,
  gate,
  group,
  holdout,
  layer,
  rule,
  segment,
} from './support/entities.ts';

const now = 1_800_000_000_000;
const everyone = [{ type: 'public' }];
const passes = (targetValue: string) => ({ type: 'passes_gate', targetValue });

/** Evaluates every spec of a project for a user. */
function asking(given: Partial<Entities>, user: Record<string, unknown> = { userID: 'u-1' }) {
  const project = compileSpec(entities(given), unboundedScope);
  const context = contextOf(project, sdkUser(user, 'production'), now);
  const ask = (list: 'gates' | 'configs' | 'layers') => (name: string) => {
    const spec = project[list].get(name);
    if (!spec) throw new Error(`There is no ${name}.`);
    return evaluate(context, spec);
  };
  return { gate: ask('gates'), config: ask('configs'), layer: ask('layers'), context };
}

describe('a gate', () => {
  const gates = [
    gate({
      id: 'a_gate',
      rules: [
        rule('plan', [
          { type: 'custom_field', field: 'plan', operator: 'any', targetValue: 'pro' },
        ]),
        rule('never', everyone, { passPercentage: 0 }),
        rule('unreached'),
      ],
    }),
    gate({ id: 'empty' }),
    gate({ id: 'off', status: 'Disabled', rules: [rule('all')] }),
  ];

  test('is decided by the first rule whose conditions hold, whether it passes or not', () => {
    const pro = asking({ gates }, { userID: 'u-1', custom: { plan: 'pro' } });
    expect(pro.gate('a_gate')).toMatchObject({ passes: true, ruleID: 'plan' });
    expect(asking({ gates }).gate('a_gate')).toMatchObject({ passes: false, ruleID: 'never' });
    expect(asking({ gates }).gate('empty')).toMatchObject({ passes: false, ruleID: 'default' });
    expect(asking({ gates }).gate('off')).toMatchObject({ passes: false, ruleID: 'disabled' });
  });

  test('of 0.07 percent passes bucket 7, like in SDKs that compare doubles', () => {
    const numbers = Array.from({ length: 60_000 }, (_, n) => n);
    const inBucket = (wanted: number) => {
      const found = numbers.find((n) => bucketOf(`a_gate.some.u-${n}`, 10_000) === wanted);
      return { userID: `u-${found}` };
    };
    const some = [
      gate({ id: 'a_gate', rules: [rule('some', everyone, { passPercentage: 0.07 })] }),
    ];
    expect(asking({ gates: some }, inBucket(7)).gate('a_gate').passes).toBe(true);
    expect(asking({ gates: some }, inBucket(8)).gate('a_gate').passes).toBe(false);
  });

  test('passes the same units and more when its percentage grows', () => {
    const passing = (passPercentage: number) => {
      const some = [gate({ id: 'a_gate', rules: [rule('some', everyone, { passPercentage })] })];
      return Array.from({ length: 500 }, (_, n) => `u-${n}`).filter(
        (userID) => asking({ gates: some }, { userID }).gate('a_gate').passes,
      );
    };
    const [ten, thirty] = [passing(10), passing(30)];
    expect(ten.filter((userID) => !thirty.includes(userID))).toEqual([]);
    expect(Math.abs(thirty.length - 150)).toBeLessThan(40);
  });
});

describe('exposures', () => {
  const gates = [
    gate({ id: 'inner', rules: [rule('all')] }),
    gate({
      id: 'outer',
      holdoutIDs: ['held'],
      rules: [rule('r', [passes('inner'), passes('inner')])],
    }),
    gate({
      id: 'asking',
      rules: [
        rule('fails', [
          { type: 'country', operator: 'any', targetValue: 'DE' },
          passes('outer'),
          { type: 'fails_segment', targetValue: 'people' },
        ]),
        rule('again', [passes('inner'), { type: 'fails_gate', targetValue: 'outer' }]),
      ],
    }),
  ];
  const holdouts = [holdout({ id: 'held', passPercentage: 0 })];
  const segments = [segment({ id: 'people', rules: [rule('r', [passes('inner')])] })];

  test('contain all evaluated gates, each once, without segments', () => {
    const { exposures } = asking({ gates, holdouts, segments }).gate('asking');
    expect(exposures).toEqual([
      { gate: 'held', gateValue: 'false', ruleID: 'holdout' },
      { gate: 'inner', gateValue: 'true', ruleID: 'all' },
      { gate: 'outer', gateValue: 'true', ruleID: 'r' },
    ]);
  });

  test('are empty for a disabled gate', () => {
    const off = gates.map((each) => ({ ...each, status: 'Disabled' as const }));
    expect(asking({ gates: off, holdouts, segments }).gate('asking').exposures).toEqual([]);
  });

  test('of a layer are separate before and with the experiment', () => {
    const held = {
      holdouts: [holdout({ id: 'wide', passPercentage: 0 })],
      gates: [gate({ id: 'fits', status: 'Launched' as const })],
    };
    const { undelegated, exposures, delegate, ruleID, value } = asking({
      ...held,
      layers: [layer({ id: 'checkout', holdoutIDs: ['wide'] })],
      experiments: [
        experiment({
          id: 'tried',
          layerID: 'checkout',
          targetingGateID: 'fits',
          groups: [group('only', 100)],
        }),
      ],
    }).layer('checkout');
    const wide = { gate: 'wide', gateValue: 'false', ruleID: 'holdout' };
    expect(undelegated).toEqual([wide]);
    expect(exposures).toEqual([wide, { gate: 'fits', gateValue: 'true', ruleID: 'launched' }]);
    expect([delegate?.spec.name, ruleID, value]).toEqual(['tried', 'only', { from: 'only' }]);
  });
});

test('a gate that many gates depend on is evaluated once for a user', () => {
  const gates = Array.from({ length: 60 }, (_, level) =>
    gate({
      id: `level_${level}`,
      rules:
        level === 0
          ? [rule('all')]
          : [rule('r', [passes(`level_${level - 1}`), passes(`level_${level - 1}`)])],
    }),
  );
  const { gate: ask, context } = asking({ gates });
  expect(ask('level_59').passes).toBe(true); // would never end if each level doubled the steps
  expect(context.evaluations.size).toBe(60);
});

/** The steps of evaluating the last of a chain of gates, of which the first depends on as many others. */
function stepsOfChain(length: number): Promise<number> {
  const leaves = Array.from({ length }, (_, leaf) => gate({ id: `leaf_${leaf}` }));
  const chain = Array.from({ length }, (_, level) => {
    const dependencies = level === 0 ? leaves.map(({ id }) => id) : [`level_${level - 1}`];
    return gate({ id: `level_${level}`, rules: [rule('r', dependencies.map(passes))] });
  });
  const { gate: evaluate } = asking({ gates: [...leaves, ...chain] });
  return stepsOf(() =>
    expect(evaluate(`level_${length - 1}`).exposures).toHaveLength(2 * length - 1),
  );
}

test('each gate of a chain adds its exposures without a search among those before', async () => {
  const [half, whole] = [await stepsOfChain(250), await stepsOfChain(500)];
  expect(whole / half).toBeLessThan(5); // twice as many gates with twice as many exposures; 8 with a search
});

test('a chain of gates of any length is evaluated', () => {
  const gates = Array.from({ length: 5000 }, (_, level) =>
    gate({
      id: `level_${level}`,
      rules: [level === 0 ? rule('all') : rule('r', [passes(`level_${level - 1}`)])],
    }),
  );
  const { gate: ask } = asking({ gates });
  expect([ask('level_4999').ruleID, ask('level_500').passes]).toEqual(['disabled', true]);
});

test('explicit parameters are those of the deciding experiment', () => {
  const given = {
    layers: [layer({ id: 'checkout' })],
    experiments: [experiment({ id: 'tried', layerID: 'checkout' })],
  };
  expect(explicitParameters(asking(given).layer('checkout'))).toEqual(['from']);
  expect(explicitParameters(asking(given).config('tried'))).toEqual(['from']);
  expect(
    explicitParameters(asking({ ...given, experiments: [] }).layer('checkout')),
  ).toBeUndefined();
});

describe('a unit', () => {
  test('is found case-sensitively on a list that is too long for a spec', () => {
    const ids = Array.from({ length: 2000 }, (_, n) => `${n * 2}`);
    const people = segment({
      id: 'people',
      type: 'id_list',
      idType: 'orgID',
      ids: [...ids, 'Zoë'],
    });
    const isListed = (orgID: unknown) =>
      asking({ segments: [people] }, { customIDs: { orgID } }).gate('segment:people').passes;
    expect(['0', 3998, 'Zoë'].map(isListed)).toEqual([true, true, true]);
    expect(['1', 'zoë', '', null, true].map(isListed)).toEqual(Array(5).fill(false));
  });

  test('gets one bucket for all groups of an experiment', () => {
    const tried = experiment({ id: 'tried', idType: 'orgID', allocation: 50 });
    const rulesOf = (orgID: string) =>
      ['u-1', 'u-2', 'u-3', 'u-4', 'u-5'].map(
        (userID) =>
          asking({ experiments: [tried] }, { userID, customIDs: { orgID } }).config('tried').ruleID,
      );
    const each = Array.from({ length: 30 }, (_, n) => rulesOf(`o-${n}`));
    for (const ruleIDs of each) expect(new Set(ruleIDs).size).toBe(1);
    expect(new Set(each.flat())).toEqual(new Set(['layerAssignment', 'control', 'test']));
  });
});

describe('a config', () => {
  test('returns its default if its rule does not pass', () => {
    const rules = [rule('never', everyone, { passPercentage: 0, returnValue: { a: 1 } })];
    const { value, ruleID } = asking({
      dynamicConfigs: [dynamicConfig({ id: 'theme', rules })],
    }).config('theme');
    expect([value, ruleID]).toEqual([{ from: 'default' }, 'never']);
  });
});

describe('a missing unit', () => {
  const half = { passPercentage: 50 };
  const gates = [
    gate({ id: 'drawn', rules: [rule('r', everyone, half)] }),
    gate({
      id: 'undrawn',
      rules: [rule('r', [{ type: 'user_id', operator: 'is_null' }]), rule('later', everyone, half)],
    }),
    gate({ id: 'none', rules: [rule('r', everyone, { passPercentage: 0 })] }),
    gate({ id: 'by_org', idType: 'orgID', rules: [rule('r', everyone, half)] }),
    gate({ id: 'asking', rules: [rule('r', [passes('by_org')])] }),
    gate({ id: 'held', holdoutIDs: ['a_hold'], rules: [rule('all')] }),
  ];
  const given = {
    gates,
    holdouts: [holdout({ id: 'a_hold' })],
    experiments: [experiment({ id: 'tried' }), experiment({ id: 'in_layer', layerID: 'checkout' })],
    layers: [layer({ id: 'checkout' })],
  };

  test.each([
    ['gate', 'drawn', 'userID'],
    ['gate', 'undrawn', undefined],
    ['gate', 'none', undefined],
    ['gate', 'by_org', 'orgID'],
    ['gate', 'asking', 'orgID'],
    ['gate', 'held', 'userID'],
    ['config', 'tried', 'userID'],
    ['layer', 'checkout', 'userID'],
  ] as const)('is told where it was drawn: %s %s', (kind, name, unit) => {
    expect(asking(given, {})[kind](name).missingUnit).toBe(unit);
    expect(
      asking(given, { userID: '', customIDs: { orgID: 0 } })[kind](name).missingUnit,
    ).toBeUndefined();
  });

  test('is reported for variants only if the conditions of their rule hold', () => {
    const staff = [{ type: 'email', operator: 'any', targetValue: 'a@b.c' }];
    const variants = [{ name: 'half', passPercentage: 50, returnValue: {} }];
    const rules = [rule('varied', staff, { variants })];
    const themeFor = (user: Record<string, unknown>) =>
      asking({ dynamicConfigs: [dynamicConfig({ id: 'theme', rules })] }, user).config('theme');
    expect(themeFor({ email: 'x@y.z' })).toMatchObject({ ruleID: 'default' });
    expect(themeFor({ email: 'x@y.z' }).missingUnit).toBeUndefined();
    expect(themeFor({ email: 'a@b.c' }).missingUnit).toBe('userID');
  });

  test('is reported for a layer and the experiment that it delegates to', () => {
    const apart = { layers: [layer({ id: 'checkout' })] };
    const experiments = [experiment({ id: 'tried', layerID: 'checkout', idType: 'orgID' })];
    const layerFor = (user: Record<string, unknown>) =>
      asking({ ...apart, experiments }, user).layer('checkout');
    expect(layerFor({ userID: 'u-1' }).missingUnit).toBe('orgID');
    expect(layerFor({ customIDs: { orgID: 'o-1' } }).missingUnit).toBe('userID');
  });

  test('is hashed as the empty text', () => {
    const empty = asking(given, { userID: '' });
    for (const name of ['drawn', 'held'])
      expect(asking(given, {}).gate(name).ruleID).toBe(empty.gate(name).ruleID);
    expect(groupName(asking(given, {}).config('tried'))).toBe(groupName(empty.config('tried')));
  });
});
