import { describe, expect, test } from 'vitest';
import { compileSpec, unboundedScope } from '../../src/engine/evaluation/compile.ts';
import { contextOf } from '../../src/engine/evaluation/context.ts';
import { evaluateFlag, flagKeys } from '../../src/engine/evaluation/flags.ts';
import { djb2 } from '../../src/engine/evaluation/hash.ts';
import { initialize } from '../../src/engine/evaluation/initialize.ts';
import { sdkUser } from '../../src/engine/evaluation/user.ts';
import {
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

const secret = {
  condition: { type: 'email', operator: 'any', targetValue: ['boss@secret.test'] },
  segment: { type: 'passes_segment', targetValue: 'secret_list' },
};
const rules = [
  rule('r1', [secret.condition, secret.segment], {
    name: 'Secret rule',
    environments: ['secret_env'],
  }),
  rule('r2', [secret.condition], { passPercentage: 12.34 }),
];
const overrides = { passingUserIDs: ['secret-u-1'], failingUserIDs: [], environmentOverrides: [] };
const inline = [{ ...rule('r1', [secret.condition]), name: 'Secret targeting' }];

const given = entities({
  gates: [gate({ id: 'a_gate', rules, overrides, holdoutIDs: ['a_hold'] })],
  dynamicConfigs: [
    dynamicConfig({
      id: 'theme',
      rules: rules.map((each) => ({ ...each, returnValue: { is: 'secret' } })),
    }),
  ],
  segments: [segment({ id: 'secret_list', type: 'id_list', ids: ['secret-u-2'] })],
  holdouts: [holdout({ id: 'a_hold', passPercentage: 0 })],
  layers: [layer({ id: 'checkout', parameters: [{ name: 'size', defaultValue: 1 }] })],
  experiments: [
    experiment({ id: 'alone', inlineTargetingRulesJSON: JSON.stringify(inline) }),
    experiment({
      id: 'layered',
      layerID: 'checkout',
      groups: [group('only', 100, { size: 2 })],
      overrides: { overrides: [], userIDOverrides: [{ groupID: 'only', ids: ['secret-u-3'] }] },
    }),
  ],
  paramStores: [
    paramStore({
      id: 'store',
      parameters: [
        {
          name: 'size',
          ref_type: 'layer',
          param_type: 'number',
          layer_name: 'checkout',
          param_name: 'size',
        },
      ],
    }),
  ],
});

const project = compileSpec(given, unboundedScope);
const context = () =>
  contextOf(project, sdkUser({ userID: 'u-1' }, 'production'), 1_800_000_000_000);
const answer = (hash: 'none' | 'djb2') => initialize(context(), { hash, time: 7 });

describe('the initialize response', () => {
  test('contains names, or their hashes', () => {
    expect(Object.keys(answer('none').feature_gates)).toEqual(['a_gate']);
    expect(Object.keys(answer('none').dynamic_configs).sort()).toEqual([
      'alone',
      'layered',
      'theme',
    ]);
    const { feature_gates, layer_configs, param_stores } = answer('djb2');
    expect(feature_gates[djb2('a_gate')]).toMatchObject({
      name: djb2('a_gate'),
      secondary_exposures: [{ gate: djb2('a_hold'), gateValue: 'false', ruleID: 'holdout' }],
    });
    expect(layer_configs[djb2('checkout')]?.allocated_experiment_name).toBe(djb2('layered'));
    expect(param_stores[djb2('store')]).toEqual({
      size: {
        name: 'size',
        ref_type: 'layer',
        param_type: 'number',
        layer_name: djb2('checkout'),
        param_name: 'size',
      },
    });
  });

  test('reports who is in an experiment', () => {
    const { dynamic_configs, layer_configs } = answer('none');
    const of = { is_experiment_active: true };
    expect(dynamic_configs.alone).toMatchObject({ ...of, is_user_in_experiment: false });
    expect(dynamic_configs.layered).toMatchObject({ ...of, is_user_in_experiment: true });
    expect(layer_configs.checkout).toMatchObject({ ...of, is_user_in_experiment: true });
    expect(dynamic_configs.theme?.is_user_in_experiment).toBeUndefined();
  });

  test('reports specs that are evaluated by device', () => {
    const { dynamic_configs: configs } = initialize(
      contextOf(
        compileSpec(
          entities({
            dynamicConfigs: [
              dynamicConfig({ id: 'by_device', idType: 'stableID' }),
              dynamicConfig({ id: 'by_user' }),
            ],
          }),
          unboundedScope,
        ),
        sdkUser({ userID: 'u-1' }),
        0,
      ),
      { hash: 'none', time: 7 },
    );
    expect(configs.by_device?.is_device_based).toBe(true);
    expect(configs.by_user?.is_device_based).toBe(false);
  });

  test('contains its user and its time', () => {
    expect(answer('none')).toMatchObject({
      time: 7,
      has_updates: true,
      hash_used: 'none',
      evaluated_keys: { userID: 'u-1' },
    });
    const nobody = contextOf(project, sdkUser({ userID: '' }), 0);
    expect(initialize(nobody, { hash: 'none', time: 7 }).evaluated_keys).toEqual({});
  });

  test('contains no condition, target, rule name, override, other value or ID list; nor do single responses', () => {
    const flags = flagKeys(project).map(({ key, flag }) => {
      const { evaluations: _inside, ...sent } = evaluateFlag(context(), { flag }) ?? {
        evaluations: [],
      };
      return { key, ...sent };
    });
    const sent = JSON.stringify([answer('none'), answer('djb2'), flags]);
    expect(sent).not.toMatch(/secret|Secret|12\.34|email|operator|targetValue|conditions|segment/);
  });

  test('may contain a name that objects inherit', () => {
    const odd = compileSpec(
      entities({ gates: [gate({ id: '__proto__' }), gate({ id: 'constructor' })] }),
      unboundedScope,
    );
    const { feature_gates } = initialize(contextOf(odd, sdkUser({}), 0), { hash: 'none', time: 7 });
    expect(Object.keys(feature_gates).sort()).toEqual(['__proto__', 'constructor']);
  });
});
