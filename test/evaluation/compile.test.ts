import { describe, expect, test } from 'vitest';
import { compileSpec, unboundedScope } from '../../src/engine/evaluation/compile.ts';
import type { Entities } from '../../src/engine/evaluation/entities.ts';
import type { Spec, SpecRule } from '../../src/engine/evaluation/spec.ts';
import {
  autotune,
  dynamicConfig,
  entities,
  experiment,
  gate,
  holdout,
  layer,
  paramStore,
  rule,
  segment,
} from './support/entities.ts';

const compiled = (given: Partial<Entities>, key = {}) =>
  compileSpec(entities(given), { ...unboundedScope, ...key });

const ids = (spec: Spec | undefined) => spec?.rules.map(({ id }) => id);
const targets = ({ conditions }: SpecRule) => conditions.map(({ targetValue }) => targetValue);

const asks = (targetValue: string) => rule('asks', [{ type: 'passes_gate', targetValue }]);

describe('a gate', () => {
  const overrides = {
    passingUserIDs: ['u-1'],
    failingUserIDs: ['u-2'],
    environmentOverrides: [
      { environment: 'staging', unitID: 'userID', passingIDs: ['u-3'], failingIDs: [] },
      { environment: null, unitID: 'orgID', passingIDs: ['o-1'], failingIDs: ['o-2'] },
    ],
  };
  const full = gate({ id: 'a_gate', overrides, holdoutIDs: ['a_hold'], rules: [rule('r1')] });
  const spec = (given = {}, key = {}) =>
    compiled(
      { gates: [{ ...full, ...given }], holdouts: [holdout({ id: 'a_hold' })] },
      key,
    ).gates.get('a_gate');

  test('has overrides first, then holdouts, then rules', () => {
    expect(ids(spec())).toEqual([
      'pass:all:userID:id_override',
      'fail:all:userID:id_override',
      'pass:staging:userID:id_override',
      'pass:all:orgID:id_override',
      'fail:all:orgID:id_override',
      'a_hold',
      'r1',
    ]);
    expect(spec()?.rules.map(({ passPercentage }) => passPercentage)).toEqual([
      100, 0, 100, 100, 0, 0, 100,
    ]);
  });

  test('has case-sensitive unit IDs', () => {
    const conditions = spec()
      ?.rules.slice(0, 5)
      .flatMap((each) => each.conditions);
    const byID = conditions?.filter(({ type }) => type !== 'environment_field');
    expect(byID?.map(({ operator }) => operator)).toEqual(Array(5).fill('any_case_sensitive'));
    expect(byID?.map(({ type, idType }) => [type, idType])).toEqual([
      ['user_field', 'userID'],
      ['user_field', 'userID'],
      ['user_field', 'userID'],
      ['unit_id', 'orgID'],
      ['unit_id', 'orgID'],
    ]);
  });

  test('keeps overrides and holdouts when launched', () => {
    expect(ids(spec({ status: 'Launched' }))?.slice(-2)).toEqual(['a_hold', 'launched']);
    expect(ids(spec({ status: 'Launched' }))).toHaveLength(7);
  });

  test('has no rules when disabled, and no spec when archived', () => {
    expect(spec({ status: 'Disabled' })).toMatchObject({ enabled: false, rules: [] });
    expect(spec({ status: 'Archived' })).toBeUndefined();
  });

  test('is salted by its ID, and its rules by their baseID', () => {
    expect(spec({ rules: [rule('r2', [], { baseID: 'r1' })] })).toMatchObject({ salt: 'a_gate' });
    expect(spec({ rules: [rule('r2', [], { baseID: 'r1' })] })?.rules.at(-1)?.salt).toBe('r1');
    const imported = { salt: 'old', rules: [rule('r1', [], { salt: 'older' })] };
    expect(spec(imported)).toMatchObject({ salt: 'old' });
    expect(spec(imported)?.rules.at(-1)?.salt).toBe('older');
  });

  test('ignores variants, which are for rules with a return value', () => {
    const variants = [{ name: 'half', passPercentage: 50, returnValue: {} }];
    expect(ids(spec({ rules: [rule('r1', [], { variants })] }))?.slice(-1)).toEqual(['r1']);
    expect(spec({ rules: [rule('r1', [], { variants })] })?.rules).toHaveLength(7);
  });

  test('has only rules for environments of the key', () => {
    const rules = [
      rule('everywhere'),
      rule('nowhere', [], { environments: [] }),
      rule('staging', [], { environments: ['staging'] }),
      rule('both', [], { environments: ['production', 'staging'] }),
    ];
    const own = (environments: string[] | null) =>
      ids(spec({ rules }, { environments }))?.filter((id) => !id.includes(':'));
    expect(own(null)).toEqual(['a_hold', 'everywhere', 'nowhere', 'staging', 'both']);
    expect(own(['production'])).toEqual(['a_hold', 'everywhere', 'both']);
    expect(own(['Production'])).toEqual(['a_hold', 'everywhere', 'both']);
    expect(ids(spec({}, { environments: ['production'] }))).not.toContain(
      'pass:staging:userID:id_override',
    );
  });

  test('checks the environment of a rule or an override first', () => {
    const german = { type: 'country', operator: 'any', targetValue: 'DE' };
    const rules = [rule('r1', [german], { environments: ['staging', 'qa'] }), rule('r2', [german])];
    const compiledRules = spec({ rules })?.rules ?? [];
    const [r1, r2, staging] = ['r1', 'r2', 'pass:staging:userID:id_override'].map((id) =>
      compiledRules.find((each) => each.id === id),
    );
    const tier = { type: 'environment_field', operator: 'any', field: 'tier' };
    expect(r1?.conditions).toMatchObject([
      { ...tier, targetValue: ['staging', 'qa'] },
      { type: 'ip_based' },
    ]);
    expect(r2?.conditions).toMatchObject([{ type: 'ip_based' }]);
    expect(staging?.conditions).toMatchObject([
      { ...tier, targetValue: ['staging'] },
      { targetValue: ['u-3'] },
    ]);
  });

  test('is compiled once, unless its object changes', () => {
    const one = entities({ gates: [full], holdouts: [holdout({ id: 'a_hold' })] });
    const first = compileSpec(one, unboundedScope).gates.get('a_gate');
    expect(compileSpec({ ...one }, unboundedScope).gates.get('a_gate')).toBe(first);
    const changed = { ...one, gates: [{ ...full, version: 2 }] };
    expect(compileSpec(changed, unboundedScope).gates.get('a_gate')).toMatchObject({ version: 2 });
    const staging = { ...unboundedScope, environments: ['staging'] };
    expect(compileSpec(one, staging).gates.get('a_gate')).not.toBe(first);
    const plain = entities({ gates: [gate({ id: 'a_gate', rules: [rule('r1')] })] });
    const shared = compileSpec(plain, unboundedScope).gates.get('a_gate');
    expect(compileSpec(plain, staging).gates.get('a_gate')).toBe(shared);
    const renamed = { ...one, gates: [full, gate({ id: 'a_hold' })] };
    const asked = compileSpec(renamed, unboundedScope).gates.get('a_gate')?.rules[5];
    expect(asked && targets(asked)).toEqual(['holdout:a_hold']);
  });
});

describe('a dynamic config', () => {
  test('returns the value of the matching rule, or its default', () => {
    const rules = [rule('own', [], { returnValue: { a: 1 } }), rule('plain')];
    const { configs } = compiled({ dynamicConfigs: [dynamicConfig({ id: 'theme', rules })] });
    expect(configs.get('theme')?.rules.map(({ returnValue }) => returnValue)).toEqual([
      { a: 1 },
      { from: 'default' },
    ]);
  });

  test('assigns the variants of a rule by size, and the rest to the rule', () => {
    const variantsOf = (...shares: number[]) => {
      const variants = shares.map((passPercentage, index) => ({
        name: `v${index}`,
        passPercentage,
        returnValue: { from: `v${index}` },
      }));
      const rules = [rule('split', [], { passPercentage: 40, variants })];
      const { configs } = compiled({ dynamicConfigs: [dynamicConfig({ id: 'theme', rules })] });
      return configs.get('theme')?.rules ?? [];
    };
    const drawn = (targetValue: number) => ({
      salt: 'split',
      passPercentage: 40,
      conditions: [{ targetValue, additionalValues: { salt: 'theme.split:variants' } }],
    });
    expect(variantsOf(30, 20.5)).toMatchObject([
      { id: 'split:v0', returnValue: { from: 'v0' }, ...drawn(300) },
      { id: 'split:v1', returnValue: { from: 'v1' }, ...drawn(505) },
      { id: 'split', returnValue: { from: 'default' }, salt: 'split', conditions: [] },
    ]);
    expect(variantsOf(30, 70).map(({ id }) => id)).toEqual(['split:v0', 'split:v1']);
    expect(variantsOf(33.33, 33.33, 33.34)).toMatchObject([drawn(333), drawn(667), drawn(1000)]);
  });
});

describe('a holdout', () => {
  test('holds out units that pass its targeting gate', () => {
    const given = holdout({ id: 'a_hold', targetingGateID: 'a_gate', passPercentage: 5 });
    const { gates } = compiled({ holdouts: [given], gates: [gate({ id: 'a_gate' })] });
    expect(gates.get('a_hold')).toMatchObject({
      entity: 'holdout',
      salt: 'a_hold',
      rules: [
        { id: 'targetingGate', passPercentage: 0, conditions: [{ type: 'fail_gate' }] },
        { id: 'holdout', salt: 'holdout', passPercentage: 5, conditions: [{ type: 'public' }] },
      ],
    });
  });

  test('has overrides first', () => {
    const overrides = {
      passingUserIDs: ['u-1'],
      failingUserIDs: ['u-2'],
      environmentOverrides: [],
    };
    const given = { holdouts: [holdout({ id: 'a_hold', targetingGateID: 'a_gate', overrides })] };
    expect(ids(compiled(given).gates.get('a_hold'))).toEqual([
      'pass:all:userID:id_override',
      'fail:all:userID:id_override',
      'targetingGate',
      'holdout',
    ]);
  });

  test('holds out no units when disabled', () => {
    const { gates } = compiled({ holdouts: [holdout({ id: 'a_hold', isEnabled: false })] });
    expect(gates.get('a_hold')).toMatchObject({ enabled: false, rules: [] });
  });

  test('is renamed if a gate has its ID, archived or not', () => {
    for (const status of ['In Progress', 'Archived'] as const) {
      const given = { gates: [gate({ id: 'same', status })], holdouts: [holdout({ id: 'same' })] };
      const { gates } = compiled(given);
      expect(gates.get('holdout:same')).toMatchObject({ entity: 'holdout', salt: 'same' });
      expect(gates.get('same')?.entity).toBe(status === 'Archived' ? undefined : 'feature_gate');
    }
  });
});

describe('a segment', () => {
  const listed = (count: number) => {
    const ids = Array.from({ length: count }, (_, index) => `u-${index}`);
    return compiled({ segments: [segment({ id: 'people', type: 'id_list', ids })] });
  };

  test('has up to 1,000 IDs in the spec, and more in a list', () => {
    const short = listed(1000);
    expect(short.idLists.size).toBe(0);
    const inSpec = { operator: 'any_case_sensitive', targetValue: { length: 1000 } };
    expect(short.gates.get('segment:people')?.rules[0]?.conditions[0]).toMatchObject(inSpec);
    const long = listed(1001);
    expect(long.idLists.get('people')).toHaveLength(1001);
    expect(long.gates.get('segment:people')?.rules[0]?.conditions[0]).toMatchObject({
      type: 'unit_id',
      operator: 'in_segment_list',
      targetValue: 'people',
    });
  });
});

describe('an autotune', () => {
  test('accepts sizes that add up to 99.99 or 100.01', () => {
    for (const [size, rest] of [
      [70, 29.99],
      [66.66, 33.33],
      [70, 30.01],
    ]) {
      const variants = [size, rest].map((size = 0) => ({ name: `${size}`, json: {}, size }));
      const spec = compiled({ autotunes: [autotune({ id: 'tuned', variants })] }).configs.get(
        'tuned',
      );
      expect(spec?.rules.map(targets)).toEqual([[Math.round(10 * (size ?? 0))], [1000]]);
    }
  });

  const bounds = (sizes: number[]) => {
    const variants = sizes.map((size, index) => ({ name: `v${index}`, json: {}, size }));
    const spec = compiled({ autotunes: [autotune({ id: 'tuned', variants })] }).configs.get(
      'tuned',
    );
    return spec?.rules.flatMap(targets);
  };

  test.each([
    [
      [20, 80],
      [200, 1000],
    ],
    [
      [33.3, 33.3, 33.4],
      [333, 666, 1000],
    ],
    [
      [33.33, 33.33, 33.33],
      [333, 667, 1000],
    ],
    [
      [1, 1],
      [500, 1000],
    ],
    [
      [0, 0, 0],
      [333, 667, 1000],
    ],
  ])('with sizes %j ends its variants at %j', (sizes, expected) => {
    expect(bounds(sizes)).toEqual(expected);
  });

  test('gives the decided variant to everyone', () => {
    const decided = autotune({ id: 'tuned', status: 'decision_made', decidedVariant: 'blue' });
    expect(compiled({ autotunes: [decided] }).configs.get('tuned')?.rules).toEqual([
      expect.objectContaining({ id: 'blue', groupName: 'blue', returnValue: { colour: 'blue' } }),
    ]);
  });
});

describe('a project with dependencies', () => {
  test('contains every gate that others depend on, disabled if missing', () => {
    const { gates, flags } = compiled({
      gates: [
        gate({ id: 'asking', rules: [asks('gone'), asks('nowhere')] }),
        gate({ id: 'gone', status: 'Archived', idType: 'orgID', rules: [rule('all')] }),
      ],
      segments: [
        segment({
          id: 'people',
          rules: [rule('r', [{ type: 'passes_segment', targetValue: 'none' }])],
        }),
      ],
      paramStores: [
        paramStore({
          id: 'store',
          parameters: [{ name: 'a', ref_type: 'gate', param_type: 'number', gate_name: 'unknown' }],
        }),
      ],
    });
    for (const name of ['gone', 'nowhere', 'segment:none', 'unknown'])
      expect(gates.get(name)).toMatchObject({ name, enabled: false, rules: [] });
    expect(gates.get('gone')?.idType).toBe('orgID');
    expect(gates.get('segment:none')?.entity).toBe('segment');
    expect(flags.map(({ id }) => id)).toEqual(['asking', 'store']);
  });

  test('disables gates in a cycle, but not gates that depend on the cycle', () => {
    const { gates, cycles } = compiled({
      gates: [
        gate({ id: 'self', rules: [asks('self')] }),
        gate({ id: 'one', rules: [asks('two')] }),
        gate({ id: 'two', rules: [asks('one'), asks('after')] }),
        gate({ id: 'before', rules: [asks('one')] }),
        gate({ id: 'between', rules: [asks('one')] }),
        gate({ id: 'other', rules: [asks('another')] }),
        gate({ id: 'another', rules: [asks('other'), asks('between')] }),
        gate({ id: 'after' }),
        gate({ id: 'member', holdoutIDs: ['a_hold'] }),
      ],
      holdouts: [holdout({ id: 'a_hold', targetingGateID: 'member' })],
    });
    const onCircles = ['a_hold', 'another', 'member', 'one', 'other', 'self', 'two'];
    expect([...cycles].sort()).toEqual(onCircles);
    for (const [name, { enabled }] of gates)
      expect([name, enabled]).toEqual([name, !onCircles.includes(name)]);
  });

  test('detects cycles through groups and targeting of experiments', () => {
    const inGroup = { type: 'experiment_group', field: 'tried', operator: 'any', targetValue: 'a' };
    const overrides = {
      overrides: [{ type: 'gate' as const, id: 'round', groupID: 'test' }],
      userIDOverrides: [],
    };
    const targeting = JSON.stringify([
      { ...rule('r'), conditions: [{ type: 'passes_gate', targetValue: 'round' }] },
    ]);
    const round = gate({ id: 'round', rules: [rule('r', [inGroup])] });
    for (const more of [
      { overrides },
      { inlineTargetingRulesJSON: targeting },
      { targetingGateID: 'round' },
    ]) {
      const { cycles } = compiled({
        gates: [round],
        experiments: [experiment({ id: 'tried', ...more })],
      });
      expect(cycles).toContain('round');
    }
  });

  test('is compiled without recursion for any length of a chain of gates', () => {
    const gates = Array.from({ length: 20_000 }, (_, index) =>
      gate({ id: `g${index}`, rules: [asks(`g${(index + 1) % 20_000}`)] }),
    );
    expect(compiled({ gates: gates.slice(0, -1) }).cycles).toEqual([]);
    expect(compiled({ gates }).cycles).toHaveLength(20_000);
  });

  test('disables gates with a chain of dependencies that would overflow the stack', () => {
    const gates = Array.from({ length: 3000 }, (_, index) =>
      gate({ id: `g${index}`, rules: [index > 0 ? asks(`g${index - 1}`) : rule('all')] }),
    );
    const round = [
      gate({ id: 'round', rules: [asks('round')] }),
      gate({ id: 'leads_to_it', rules: [asks('round'), asks('g499')] }),
    ];
    for (const more of [[], round]) {
      const { tooDeep, gates: served } = compiled({ gates: [...gates, ...more] });
      const deeper = gates.slice(501).map(({ id }) => id);
      expect(tooDeep.toSorted()).toEqual(deeper.toSorted());
      expect(served.get('g500')?.enabled).toBe(true);
      expect(served.get('g501')).toMatchObject({ enabled: false, rules: [] });
    }
  });
});

describe('a project', () => {
  test('serves the oldest config, experiment or autotune with an ID', () => {
    const at = (createdTime: number) => ({ id: 'same', createdTime });
    const given = {
      dynamicConfigs: [dynamicConfig(at(3))],
      experiments: [experiment(at(2))],
      autotunes: [autotune(at(2))],
    };
    expect(compiled(given).configs.get('same')?.entity).toBe('experiment');
    expect(compiled(given).flags.map(({ kind }) => kind)).toEqual(['experiment']);
    const archived = { ...given, experiments: [experiment({ ...at(2), isAnalysisOnly: true })] };
    expect(compiled(archived).configs.get('same')?.entity).toBe('autotune');
    const first = { ...given, dynamicConfigs: [dynamicConfig(at(1))] };
    expect(compiled(first).configs.get('same')?.entity).toBe('dynamic_config');
  });

  test('contains, for a target app, its flags and their dependencies', () => {
    const web = { targetApps: ['web'] };
    const ios = { targetApps: ['ios', 'tv'] };
    const many = Array.from({ length: 1001 }, (_, index) => `u-${index}`);
    const given = {
      gates: [
        gate({ id: 'for_all', rules: [asks('for_ios_asked')] }),
        gate({ id: 'for_web', ...web, holdoutIDs: ['held'] }),
        gate({ id: 'for_ios', ...ios }),
        gate({
          id: 'for_ios_asked',
          ...ios,
          rules: [rule('r', [{ type: 'passes_segment', targetValue: 'people' }])],
        }),
      ],
      segments: [
        segment({ id: 'people', ...ios, type: 'id_list', ids: many }),
        segment({ id: 'unasked', type: 'id_list', ids: many }),
      ],
      holdouts: [holdout({ id: 'held', ...ios })],
      layers: ['checkout', 'taken', 'unused'].map((id) => layer({ id, ...ios })),
      experiments: [
        experiment({ id: 'in_layer', ...web, layerID: 'checkout' }),
        experiment({ id: 'beside_it', ...ios, layerID: 'checkout' }),
        experiment({ id: 'in_unused', ...ios, layerID: 'unused' }),
        experiment({ id: 'apart', ...ios }),
      ],
      paramStores: [
        paramStore({
          id: 'store',
          targetAppIDs: ['web'],
          parameters: [
            {
              name: 'a',
              ref_type: 'experiment',
              param_type: 'number',
              experiment_name: 'apart',
              param_name: 'a',
            },
            {
              name: 'b',
              ref_type: 'layer',
              param_type: 'number',
              layer_name: 'taken',
              param_name: 'b',
            },
          ],
        }),
        paramStore({ id: 'other_store', targetAppIDs: ['tv'] }),
      ],
    };
    const project = compiled(given, { targetAppID: 'web' });
    expect(project.flags.map(({ id }) => id).sort()).toEqual([
      'for_all',
      'for_web',
      'in_layer',
      'store',
    ]);
    expect([...project.gates.keys()].sort()).toEqual([
      'for_all',
      'for_ios_asked',
      'for_web',
      'held',
      'segment:people',
    ]);
    expect([...project.configs.keys()].sort()).toEqual(['apart', 'beside_it', 'in_layer']);
    expect([...project.layers.keys()]).toEqual(['checkout', 'taken']);
    expect([...project.layerOfExperiment.keys()].sort()).toEqual(['beside_it', 'in_layer']);
    expect([...project.paramStores.keys()]).toEqual(['store']);
    expect([...project.idLists.keys()]).toEqual(['people']);
    expect(project.targetAppID).toBe('web');
  });
});
