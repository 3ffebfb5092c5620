import { describe, expect, test } from 'vitest';
import { recordOf } from '../../src/base/value_types.ts';
import { compileSpec, unboundedScope } from '../../src/engine/evaluation/compile.ts';
import { contextOf } from '../../src/engine/evaluation/context.ts';
import type { Entities } from '../../src/engine/evaluation/entities.ts';
import { evaluateFlag, findFlag, flagKeys, hasFlag } from '../../src/engine/evaluation/flags.ts';
import { contextUser } from '../../src/engine/evaluation/user.ts';
import {
  autotune,
  dynamicConfig,
  entities,
  experiment,
  gate,
  group,
  holdout,
  layer,
  paramStore,
  rule,
  segment,
} from './support/entities.ts';

const everyone = [{ type: 'public' }];
const user = contextUser({ targetingKey: 'u-1' }, 'production');

/** The evaluation of a flag key. */
function ask(given: Partial<Entities>, key: string, asker = user) {
  const project = compileSpec(entities(given), unboundedScope);
  const found = findFlag(project, key);
  return found && evaluateFlag(contextOf(project, asker, 1_800_000_000_000), found);
}

describe('a flag key', () => {
  const at = (createdTime: number, id = 'same') => ({ id, createdTime });
  const given = {
    gates: [gate(at(2)), gate(at(9, 'alone')), gate({ ...at(9, 'gone'), status: 'Archived' })],
    layers: [layer(at(1)), layer(at(9, 'constructor'))],
    experiments: [experiment(at(3))],
    autotunes: [autotune(at(4, 'tuned'))],
    dynamicConfigs: [dynamicConfig(at(5, 'theme'))],
    paramStores: [paramStore({ id: 'same', createdTime: 0.5 })],
    holdouts: [holdout(at(0, 'held'))],
    segments: [segment(at(0, 'people'))],
  };
  const project = compileSpec(entities(given), unboundedScope);
  const found = (key: string) => {
    const { flag, parameter } = findFlag(project, key) ?? {};
    return flag && [flag.kind, flag.id, parameter];
  };

  test('is found without a search of all flags', () => {
    let looks = 0;
    const flags = Array.from({ length: 1000 }, (_, index) => ({
      kind: 'gate' as const,
      createdTime: index,
      targetApps: [],
      get id() {
        looks++;
        return `gate_${index}`;
      },
    }));
    const large = { ...project, flags };
    for (let index = 0; index < 1000; index++) {
      expect(hasFlag(large, ['gate'], `gate_${index}`)).toBe(true);
      expect(hasFlag(large, ['layer'], `gate_${index}`)).toBe(false);
      expect(findFlag(large, `gate_${index}`)).toBeDefined();
    }
    expect(looks).toBeLessThan(10_000);
  });

  test.each([
    ['same', ['param_store', 'same', undefined]],
    ['alone', ['gate', 'alone', undefined]],
    ['gate:same', ['gate', 'same', undefined]],
    ['layer:same', ['layer', 'same', undefined]],
    ['layer:same:colour', ['layer', 'same', 'colour']],
    ['layer:same:a:b\nc', ['layer', 'same', 'a:b\nc']],
    ['layer:same:', ['layer', 'same', '']],
    ['config:same', ['experiment', 'same', undefined]],
    ['experiment:same', ['experiment', 'same', undefined]],
    ['config:tuned', ['autotune', 'tuned', undefined]],
    ['config:theme:from', ['config', 'theme', 'from']],
    ['param_store:same:a', ['param_store', 'same', 'a']],
    ['constructor', ['layer', 'constructor', undefined]],
  ])('%j finds %j', (key, meant) => {
    expect(found(key)).toEqual(meant);
  });

  test.each([
    '',
    ':',
    'nothing',
    'gate:nothing',
    'gate:same:colour',
    'autotune:theme',
    'Gate:same',
    'other:same',
    'held',
    'holdout:held',
    'people',
    'segment:people',
    'gone',
    'gate:gone',
    'toString',
    'same:colour',
    'a/b',
  ])('%j finds no flag', (key) => {
    expect(found(key)).toBeUndefined();
  });

  test('is the ID, or the kind and ID if an older flag has the ID', () => {
    expect(flagKeys(project).map(({ key }) => key)).toEqual([
      'same',
      'layer:same',
      'gate:same',
      'experiment:same',
      'tuned',
      'theme',
      'alone',
      'constructor',
    ]);
    for (const { key, flag } of flagKeys(project)) expect(findFlag(project, key)?.flag).toBe(flag);
  });

  test('is sorted by ID among flags of the same time', () => {
    const gates = ['b', 'c', 'a'].map((id) => gate({ id }));
    const keys = flagKeys(compileSpec(entities({ gates }), unboundedScope)).map(({ key }) => key);
    expect(keys).toEqual(['a', 'b', 'c']);
  });
});

describe('a reason', () => {
  const germans = { type: 'country', operator: 'any', targetValue: 'DE' };
  const german = contextUser({ targetingKey: 'u-1', country: 'DE' });
  const decided = { status: 'decision_made', launchedGroupID: 'test' } as const;
  const overrides = { passingUserIDs: ['u-1'], failingUserIDs: [], environmentOverrides: [] };
  const reasonOfGate = (more: object) =>
    ask(
      {
        gates: [gate({ id: 'a_gate', ...more })],
        holdouts: [holdout({ id: 'held', passPercentage: 100 })],
      },
      'a_gate',
      german,
    )?.reason;
  const reasonOfExperiment = (more: object) =>
    ask(
      { experiments: [experiment({ id: 'tried', ...more })], gates: [gate({ id: 'a_gate' })] },
      'tried',
    )?.reason;

  test.each([
    ['DISABLED', { status: 'Disabled' }],
    ['STATIC', { status: 'Launched' }],
    ['SPLIT', { rules: [rule('r', everyone, { passPercentage: 50 })] }],
    ['SPLIT', { holdoutIDs: ['held'] }],
    ['DEFAULT', {}],
    ['TARGETING_MATCH', { rules: [rule('r', [germans])] }],
    ['TARGETING_MATCH', { rules: [rule('r', [germans], { passPercentage: 0 })] }],
    ['TARGETING_MATCH', { overrides }],
    ['TARGETING_MATCH', { rules: [rule('default')] }],
    ['TARGETING_MATCH', { rules: [rule('launched', [germans])] }],
  ])('of a gate is %s: %j', (reason, more) => {
    expect(reasonOfGate(more)).toBe(reason);
  });

  test.each([
    ['SPLIT', {}],
    ['STATIC', decided],
    ['DEFAULT', { status: 'setup' }],
    ['DEFAULT', { allocation: 0 }],
    ['DEFAULT', { targetingGateID: 'a_gate' }],
    ['DEFAULT', { inlineTargetingRulesJSON: '[{}' }],
    ['DEFAULT', { status: 'experiment_stopped' }],
    ['DEFAULT', { status: 'abandoned' }],
    [
      'TARGETING_MATCH',
      { overrides: { overrides: [], userIDOverrides: [{ groupID: 'test', ids: ['u-1'] }] } },
    ],
  ])('of an experiment is %s: %j', (reason, more) => {
    expect(reasonOfExperiment(more)).toBe(reason);
  });

  test('of a decided autotune is STATIC, of an active one SPLIT', () => {
    const decidedFor = { status: 'decision_made' as const, decidedVariant: 'red' };
    expect(ask({ autotunes: [autotune({ id: 'tuned', ...decidedFor })] }, 'tuned')?.reason).toBe(
      'STATIC',
    );
    expect(ask({ autotunes: [autotune({ id: 'tuned' })] }, 'tuned')?.reason).toBe('SPLIT');
  });

  test('of a layer is the reason of its experiment', () => {
    const experiments = [experiment({ id: 'tried', layerID: 'checkout' })];
    expect(ask({ layers: [layer({ id: 'checkout' })], experiments }, 'checkout')?.reason).toBe(
      'SPLIT',
    );
    expect(ask({ layers: [layer({ id: 'checkout' })] }, 'checkout')?.reason).toBe('DEFAULT');
  });
});

describe('an evaluation', () => {
  const only = { groups: [group('only', 100, { size: 1 })] };
  const given = {
    gates: [gate({ id: 'a_gate', version: 7, rules: [rule('all')] }), gate({ id: 'no_gate' })],
    dynamicConfigs: [
      dynamicConfig({
        id: 'theme',
        idType: 'orgID',
        rules: [rule('r', everyone, { returnValue: { a: { b: 1 } } })],
      }),
    ],
    experiments: [
      experiment({ id: 'tried', ...only }),
      experiment({ id: 'in_setup', status: 'setup', ...only }),
      experiment({ id: 'layered', layerID: 'checkout', ...only }),
      experiment({ id: 'layered_setup', layerID: 'checkout', status: 'setup', ...only }),
    ],
    autotunes: [autotune({ id: 'tuned', status: 'setup' })],
    layers: [
      layer({
        id: 'checkout',
        parameters: [
          { name: 'size', defaultValue: 0 },
          { name: 'colour', defaultValue: 'grey' },
        ],
      }),
    ],
  };
  const none = undefined;
  const ofTheme = { kind: 'config', id: 'theme', ruleID: 'r', idType: 'orgID' };
  const ofSetup = { kind: 'experiment', id: 'in_setup', ruleID: 'prestart' };
  const ofLayer = { kind: 'layer', id: 'checkout', ruleID: 'only', experiment: 'layered' };
  const both = { size: 1, colour: 'grey' };

  test.each([
    ['a_gate', true, 'on', 'TARGETING_MATCH', { kind: 'gate', ruleID: 'all', version: 7 }],
    ['no_gate', false, 'off', 'DEFAULT', { kind: 'gate', ruleID: 'default' }],
    ['theme', { a: { b: 1 } }, none, 'TARGETING_MATCH', ofTheme],
    ['config:theme:a', { b: 1 }, none, 'TARGETING_MATCH', ofTheme],
    ['config:theme:toString', none, none, 'TARGETING_MATCH', ofTheme],
    ['tried', { size: 1 }, 'Group only', 'SPLIT', { kind: 'experiment', ruleID: 'only' }],
    ['in_setup', none, none, 'DEFAULT', ofSetup],
    ['experiment:in_setup:size', none, none, 'DEFAULT', ofSetup],
    ['layered_setup', { ...both, size: 0 }, none, 'DEFAULT', { ...ofSetup, id: 'layered_setup' }],
    ['tuned', none, none, 'DEFAULT', { kind: 'autotune', ruleID: 'prestart' }],
    ['checkout', both, 'Group only', 'SPLIT', ofLayer],
    ['layer:checkout:size', 1, 'Group only', 'SPLIT', { ...ofLayer, explicit: true }],
    ['layer:checkout:colour', 'grey', 'Group only', 'SPLIT', { ...ofLayer, explicit: false }],
  ])('of %s is %j, %s, for %s', (key, value, variant, reason, own) => {
    const metadata = { id: key, version: 1, idType: 'userID', ...own };
    const { evaluations, missingUnit, ...answer } = ask(given, key) ?? { evaluations: [] };
    expect(answer).toStrictEqual({ value, variant, reason, metadata });
    expect(missingUnit).toBeUndefined();
    expect(evaluations.map(({ evaluation }) => evaluation.spec.name)).toEqual([metadata.id]);
  });

  test('reports the missing ID type', () => {
    expect(ask(given, 'tried', contextUser({}))?.missingUnit).toBe('userID');
    expect(ask(given, 'theme', contextUser({}))?.missingUnit).toBeUndefined();
  });
});

describe('a param store', () => {
  const byGate = (name: string, gate_name: string) =>
    ({
      name,
      param_type: 'number',
      ref_type: 'gate',
      gate_name,
      pass_value: 1,
      fail_value: 0,
    }) as const;
  const from = <Source extends object>(name: string, source: Source, param_name = 'from') => ({
    name,
    param_type: 'string' as const,
    param_name,
    ...source,
  });
  const checkout = { ref_type: 'layer', layer_name: 'checkout' } as const;
  const given = {
    gates: [
      gate({ id: 'on', rules: [rule('all')] }),
      gate({ id: 'off' }),
      gate({ id: 'gone', status: 'Archived' as const }),
    ],
    layers: [layer({ id: 'checkout', parameters: [{ name: 'colour', defaultValue: 'grey' }] })],
    dynamicConfigs: [dynamicConfig({ id: 'theme' })],
    experiments: [
      experiment({ id: 'tried', groups: [group('only', 100)] }),
      experiment({ id: 'setup', status: 'setup' as const }),
    ],
    paramStores: [
      paramStore({
        id: 'store',
        version: 3,
        parameters: [
          { name: 'fixed', param_type: 'string', ref_type: 'static', value: 'text' },
          byGate('passed', 'on'),
          byGate('failed', 'off'),
          byGate('gone', 'gone'),
          from('layered', checkout, 'colour'),
          from('configured', { ref_type: 'dynamic_config', config_name: 'theme' } as const),
          from('tried', { ref_type: 'experiment', experiment_name: 'tried' } as const),
          from('untried', { ref_type: 'experiment', experiment_name: 'setup' } as const),
          from('nowhere', { ref_type: 'dynamic_config', config_name: 'nothing' } as const),
          from('unnamed', checkout, 'toString'),
          { ...from('mistyped', checkout, 'colour'), param_type: 'array' },
        ],
      }),
      paramStore({
        id: 'fixed_store',
        parameters: [
          { name: 'list', ref_type: 'static', param_type: 'array', value: [] },
          { name: 'none', ref_type: 'static', param_type: 'object', value: null },
        ],
      }),
    ],
  };
  const metadata = { kind: 'param_store', id: 'store', version: 3 };

  test('evaluates each parameter, and leaves out missing values and values of another type', () => {
    expect(ask(given, 'store')).toMatchObject({
      value: {
        fixed: 'text',
        passed: 1,
        failed: 0,
        gone: 0,
        layered: 'grey',
        configured: 'default',
        tried: 'only',
      },
      reason: 'TARGETING_MATCH',
      metadata,
    });
    expect(Object.keys(recordOf(ask(given, 'store')?.value))).toHaveLength(7);
  });

  test('evaluates one parameter, or none', () => {
    expect(ask(given, 'param_store:store:layered')).toMatchObject({ value: 'grey', metadata });
    expect(ask(given, 'param_store:store:layered')?.evaluations).toMatchObject([
      { parameters: ['colour'] },
    ]);
    for (const name of ['mistyped', 'unnamed', 'nothing', 'constructor'])
      expect(ask(given, `param_store:store:${name}`)?.value).toBeUndefined();
  });

  test('with only fixed values is static, and needs no unit', () => {
    expect(ask(given, 'fixed_store')).toMatchObject({ value: { list: [] }, reason: 'STATIC' });
    expect(ask(given, 'store', contextUser({}))?.missingUnit).toBe('userID');
    expect(ask(given, 'fixed_store', contextUser({}))?.missingUnit).toBeUndefined();
  });
});
