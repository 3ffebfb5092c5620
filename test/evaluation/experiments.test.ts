import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { bucketOrder } from '../../src/engine/evaluation/buckets.ts';
import { compileSpec, unboundedScope } from '../../src/engine/evaluation/compile.ts';
import type {
  Entities,
  ExperimentEntity,
  LayerEntity,
} from '../../src/engine/evaluation/entities.ts';
import {
  autotune,
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

const compiled = (given: Partial<Entities>, key = {}) =>
  compileSpec(entities(given), { ...unboundedScope, ...key });

/** The spec of an experiment outside layers. */
const alone = (given: Partial<ExperimentEntity> = {}, key = {}) =>
  compiled({ experiments: [experiment({ id: 'tried', ...given })] }, key).configs.get('tried');

const ids = (spec: ReturnType<typeof alone>) => spec?.rules.map(({ id }) => id);
const ruleOf = (spec: ReturnType<typeof alone>, wanted: string) =>
  spec?.rules.find(({ id }) => id === wanted);

const targeting = {
  targetingGateID: 'a_gate',
  inlineTargetingRulesJSON: JSON.stringify([{ name: 'Some', passPercentage: 50, conditions: [] }]),
};
const draws = ['layerAssignment', 'targetingGate', 'inlineTargetingRules', 'control', 'test'];

describe('an experiment', () => {
  test.each([
    [{ status: 'setup' }, ['prestart'], false],
    [{ status: 'setup', enabledNonProdEnvironments: [] }, ['prestart'], false],
    [{ status: 'setup', enabledNonProdEnvironments: ['dev'] }, ['prestart', ...draws], true],
    [{ status: 'active' }, draws, true],
    [{ status: 'assignment_stopped' }, draws, true],
    [
      { status: 'decision_made', launchedGroupID: 'test' },
      ['targetingGate', 'inlineTargetingRules', 'launchedGroup'],
      false,
    ],
    [{ status: 'experiment_stopped' }, ['stopped'], false],
    [{ status: 'abandoned', enabledNonProdEnvironments: ['dev'] }, ['abandoned'], false],
    [{ status: 'abandoned' }, ['abandoned'], false],
  ] as const)('%j has the rules %j', (status, rules, isActive) => {
    expect(ids(alone({ ...targeting, ...status }))).toEqual(rules);
    expect(alone(status)).toMatchObject({ enabled: true, isActive });
  });

  test('is not served if units are assigned elsewhere, or if archived without a decision', () => {
    expect(alone({ assignmentSourceName: 'warehouse' })).toBeUndefined();
    expect(alone({ assignmentSourceName: '' })).toBeDefined();
    expect(alone({ isAnalysisOnly: true })).toBeUndefined();
    expect(alone({ status: 'archived', archivedFrom: 'abandoned' })).toBeUndefined();
    const decided = { archivedFrom: 'decision_made', launchedGroupID: 'test' } as const;
    expect(ids(alone({ status: 'archived', ...decided }))).toEqual(['launchedGroup']);
  });

  test('is salted by its start, so that a restart assigns units again', () => {
    const salts = ({ startTime, salt }: Partial<ExperimentEntity>) => {
      const spec = alone({ startTime, salt });
      return [spec?.salt, ruleOf(spec, 'test')?.conditions[0]?.additionalValues.salt];
    };
    expect(salts({ startTime: 5 })).toEqual(['tried:5', 'tried:5']);
    expect(salts({ startTime: null })).toEqual(['tried:0', 'tried:0']);
    expect(salts({ startTime: 5, salt: 'imported' })).toEqual(['imported', 'imported']);
    const assignment = ruleOf(alone(), 'layerAssignment')?.conditions[0];
    expect(assignment?.additionalValues.salt).toBe('tried:allocation');
  });

  test.each([
    [
      [50, 50],
      [500, 1000],
    ],
    [
      [33.33, 33.33, 33.34],
      [333, 667, 1000],
    ],
    [
      [0.04, 0.05, 99.91],
      [0, 1, 1000],
    ],
    [
      [100, 0],
      [1000, 1000],
    ],
    [
      [49.99, 50],
      [500, 1000],
    ],
    [
      [10, 20],
      [100, 1000],
    ],
  ])('with sizes %j ends its groups at %j', (sizes, ends) => {
    const groups = sizes.map((size, index) => group(`g${index}`, size));
    const rules = alone({ groups })?.rules.slice(1);
    expect(rules?.map(({ conditions }) => conditions[0]?.targetValue)).toEqual(ends);
    expect(rules?.every(({ isExperimentGroup }) => isExperimentGroup)).toBe(true);
  });

  test('uses its allocated buckets, or those it would be allocated', () => {
    const buckets = (given: Partial<ExperimentEntity>) =>
      ruleOf(alone(given), 'layerAssignment')?.conditions[0]?.targetValue;
    expect(buckets({ allocatedBuckets: [1, 2] })).toEqual([1, 2]);
    expect(buckets({ allocation: 0.2 })).toEqual(
      bucketOrder('tried')
        .slice(0, 2)
        .sort((a, b) => a - b),
    );
    expect(buckets({ userBuckets: [9, 4] })).toEqual([4, 9]);
    expect(buckets({ allocation: 100 })).toHaveLength(1000);
    expect(buckets({ status: 'assignment_stopped', allocatedBuckets: [1] })).toEqual([]);
  });

  test('under test gets its buckets without a search', () => {
    const tried = Array.from({ length: 110 }, (_, index) =>
      experiment({
        id: `tried_${index}`,
        status: 'setup',
        allocation: 50,
        enabledNonProdEnvironments: ['dev'],
      }),
    );
    const hashes = vi.spyOn(Int32Array.prototype, 'set'); // once for each hash
    onTestFinished(() => hashes.mockRestore());
    compiled({ experiments: tried });
    expect(hashes.mock.calls.length).toBeGreaterThanOrEqual(110 * 1000);
    hashes.mockClear();
    compiled({ experiments: tried });
    expect(hashes.mock.calls.length).toBeLessThan(1000);
  });

  test('gives a disabled group the defaults, and still assigns units to it', () => {
    const spec = alone({ groups: [group('a', 50), group('b', 50, { from: 'b' }, true)] });
    expect(ruleOf(spec, 'b')?.returnValue).toEqual({}); // toMatchObject would accept any object
    expect(ruleOf(spec, 'b')).toMatchObject({ groupName: 'Group b', isExperimentGroup: true });
  });
});

describe('a targeted experiment', () => {
  test('has ID overrides first, then gate overrides, only for environments of the key', () => {
    const overrides = {
      userIDOverrides: [
        { groupID: 'test', ids: ['u-1'] },
        { groupID: 'control', ids: ['o-1'], unitType: 'orgID', environment: 'staging' },
        { groupID: 'test', ids: [] },
        { groupID: 'lost', ids: ['u-2'] },
      ],
      overrides: [
        { type: 'gate' as const, id: 'a_gate', groupID: 'control' },
        { type: 'segment' as const, id: 'people', groupID: 'test', environment: 'staging' },
      ],
    };
    expect(ids(alone({ overrides }))?.slice(0, -3)).toEqual([
      'test:userID:id_override',
      'control:orgID:staging:id_override',
      'control:a_gate:override',
      'test:segment:people:staging:override',
    ]);
    const [first] = ids(alone({ overrides, idType: 'companyID' })) ?? [];
    expect(first).toBe('test:companyID:id_override');
    const production = alone({ overrides }, { environments: ['production'] });
    expect(ids(production)?.slice(0, -3)).toEqual([
      'test:userID:id_override',
      'control:a_gate:override',
    ]);
    expect(production?.rules[0]).toMatchObject({
      groupName: 'Group test',
      returnValue: { from: 'test' },
    });
    expect(production?.rules[0]?.isExperimentGroup).toBeUndefined();
  });

  test('with invalid targeting rules lets no units in', () => {
    for (const inlineTargetingRulesJSON of ['[', '{"a":1}', 'null']) {
      const tried = experiment({ id: 'tried', inlineTargetingRulesJSON });
      const { gates, configs } = compiled({ experiments: [tried] });
      expect(ids(configs.get('tried'))).toContain('inlineTargetingRules');
      expect(gates.get('segment:targeting:tried')).toMatchObject({ enabled: true, rules: [] });
    }
    for (const inlineTargetingRulesJSON of ['', '[]', ' [ \n ] '])
      expect(ids(alone({ inlineTargetingRulesJSON }))).not.toContain('inlineTargetingRules');
  });

  test('names its targeting rules by the IDs that they have', () => {
    const rules = [
      { name: 'By name', passPercentage: 50, conditions: [] },
      rule('r1'),
      rule('r2', [], { baseID: 'base' }),
      { ...rule(''), name: 'Empty', baseID: '' },
    ];
    const tried = experiment({ id: 'tried', inlineTargetingRulesJSON: JSON.stringify(rules) });
    const spec = compiled({ experiments: [tried] }).gates.get('segment:targeting:tried');
    expect(spec?.rules.map(({ id, salt }) => [id, salt])).toEqual([
      ['By name', 'By name'],
      ['r1', 'r1'],
      ['r2', 'base'],
      ['Empty', 'Empty'],
    ]);
  });

  test('accepts a single target value in an array', () => {
    const conditions = [
      { operator: 'gt', targetValue: [5] },
      { operator: 'version_gt', targetValue: ['1.2'] },
      { operator: 'before', targetValue: [1e12] },
      { operator: 'str_matches', targetValue: ['a+'] },
      { operator: 'array_contains_any', targetValue: ['a'] },
    ].map((given) => ({ type: 'custom_field', field: 'plan', ...given }));
    const inlineTargetingRulesJSON = JSON.stringify([rule('r1', conditions)]);
    const { gates } = compiled({
      experiments: [experiment({ id: 'tried', inlineTargetingRulesJSON })],
    });
    const [compiledRule] = gates.get('segment:targeting:tried')?.rules ?? [];
    expect(compiledRule?.conditions.map(({ targetValue }) => targetValue)).toEqual([
      5,
      '1.2',
      1e12,
      null, // the pattern requires a value
      'a+',
      ['a'],
    ]);
  });

  test('has only targeting rules for environments of the key', () => {
    const rules = ['staging', 'dev'].map((name) => rule(name, [], { environments: [name] }));
    const tried = experiment({ id: 'tried', inlineTargetingRulesJSON: JSON.stringify(rules) });
    const { gates } = compiled({ experiments: [tried] }, { environments: ['dev'] });
    expect(gates.get('segment:targeting:tried')?.rules).toMatchObject([
      { id: 'dev', conditions: [{ type: 'environment_field', targetValue: ['dev'] }] },
    ]);
  });
});

describe('a condition on groups', () => {
  const asking = (operator: string, targetValue: string | string[], field = 'tried') =>
    gate({
      id: 'asking',
      rules: [rule('r', [{ type: 'experiment_group', field, operator, targetValue }])],
    });

  test('compiles to a gate with the rules of the experiment', () => {
    const given = {
      gates: [asking('any', ['Group test'])],
      experiments: [experiment({ id: 'tried' })],
    };
    const { gates } = compiled(given);
    const name = String(gates.get('asking')?.rules[0]?.conditions[0]?.targetValue);
    const spec = gates.get(name);
    expect(spec).toMatchObject({
      entity: 'segment',
      salt: 'tried:1790000000000',
      defaultValue: false,
    });
    expect(spec?.rules.map(({ id, passPercentage }) => [id, passPercentage])).toEqual([
      ['layerAssignment', 0],
      ['control', 0],
      ['test', 100],
    ]);
    expect(spec?.rules.every(({ returnValue }) => returnValue === true)).toBe(true);
  });

  test('may be in a dynamic config, a segment or the targeting of an experiment', () => {
    const { rules } = asking('any', 'Group test');
    const inlineTargetingRulesJSON = JSON.stringify(rules);
    for (const { experiments = [], ...more } of [
      { dynamicConfigs: [dynamicConfig({ id: 'asking', rules })] },
      { segments: [segment({ id: 'asking', rules })] },
      { experiments: [experiment({ id: 'asking', inlineTargetingRulesJSON })] },
    ]) {
      const given = { ...more, experiments: [experiment({ id: 'tried' }), ...experiments] };
      const names = [...compiled(given).gates.values()].map(({ name, enabled }) => [name, enabled]);
      expect(names).toContainEqual([
        expect.stringMatching(/^segment:experiment_group:tried:/),
        true,
      ]);
    }
  });

  test('compiles to a disabled gate if the experiment is missing or not served', () => {
    const experiments = [experiment({ id: 'tried', isAnalysisOnly: true })];
    for (const field of ['tried', 'nothing']) {
      const { gates } = compiled({ gates: [asking('any', 'Group test', field)], experiments });
      const name = String(gates.get('asking')?.rules[0]?.conditions[0]?.targetValue);
      expect(gates.get(name)).toMatchObject({ enabled: false });
    }
    const given = {
      gates: [asking('any', 'red', 'tuned')],
      autotunes: [autotune({ id: 'tuned' })],
    };
    const { gates } = compiled(given);
    const name = String(gates.get('asking')?.rules[0]?.conditions[0]?.targetValue);
    expect(gates.get(name)).toMatchObject({ enabled: false });
  });
});

const parameters = ['a', 'b', 'c'].map((name) => ({ name, defaultValue: `${name}0` }));
const raw = { a: 'a0', b: 'b0', c: 'c0' };
const member = (id: string, given: Partial<ExperimentEntity> = {}) =>
  experiment({
    id,
    layerID: 'checkout',
    groups: [group(`${id}_group`, 100, { a: id })],
    ...given,
  });
const decided = (id: string, decisionTime: number, given: Partial<ExperimentEntity> = {}) =>
  member(id, { status: 'decision_made', decisionTime, launchedGroupID: `${id}_group`, ...given });
const checkout = (experiments: ExperimentEntity[], given: Partial<LayerEntity> = {}, key = {}) => {
  const layers = [layer({ id: 'checkout', parameters, ...given })];
  const project = compiled({ layers, experiments, holdouts: [holdout({ id: 'held' })] }, key);
  return { spec: project.layers.get('checkout'), ...project };
};
const handsOn = (spec: ReturnType<typeof alone>) =>
  spec?.rules.map(({ id, configDelegate }) => [id, configDelegate]);

describe('a layer', () => {
  test('has its parameters as defaults', () => {
    expect(checkout([]).spec).toMatchObject({ defaultValue: raw, rules: [], entity: 'layer' });
  });

  test('delegates to each running experiment, by start time', () => {
    const { spec } = checkout([
      member('late', { startTime: 3, allocatedBuckets: [1] }),
      member('early', { startTime: 1, allocatedBuckets: [2] }),
      member('early_too', { startTime: 1, allocatedBuckets: [3] }),
      member('setup', { status: 'setup', startTime: null }),
      member('stopped', { status: 'assignment_stopped' }),
    ]);
    expect(handsOn(spec)).toEqual([
      ['experimentAssignment', 'early'],
      ['experimentAssignment', 'early_too'],
      ['experimentAssignment', 'late'],
    ]);
    expect(spec?.rules.map(({ conditions }) => conditions[0]?.targetValue)).toEqual([
      [2],
      [3],
      [1],
    ]);
    expect(spec?.rules[0]?.conditions[0]?.additionalValues.salt).toBe('checkout');
  });

  test('and its experiments use the same salt and ID type', () => {
    const { spec, configs } = checkout([member('tried', { idType: 'orgID' })], {
      idType: 'deviceID',
    });
    const assignment = ruleOf(configs.get('tried'), 'layerAssignment')?.conditions[0];
    const { operator: _other, ...drawn } = assignment ?? { operator: '' };
    expect(spec?.rules[0]?.conditions[0]).toMatchObject(drawn);
    expect(assignment).toMatchObject({
      idType: 'deviceID',
      additionalValues: { salt: 'checkout' },
    });
    expect(ruleOf(configs.get('tried'), 'tried_group')?.conditions[0]?.idType).toBe('orgID');
  });

  test('gives free buckets to running experiments without allocated ones', () => {
    const half = { allocation: 50 };
    const running = [
      member('one', half),
      member('two', half),
      member('three', { allocatedBuckets: [0, 1] }),
    ];
    const { spec } = checkout(running);
    const buckets = spec?.rules.flatMap(({ conditions }) => conditions[0]?.targetValue);
    expect(new Set(buckets).size).toBe(1000);
    expect(buckets).toHaveLength(1000);
  });

  test('has decisions for everyone in its defaults, the last one on top', () => {
    const experiments = [
      decided('a_second', 2, { groups: [group('a_second_group', 100, { a: 'a2', b: 'b2' })] }),
      decided('z_first', 1, { groups: [group('z_first_group', 100, { a: 'a1', c: 'c1' })] }),
      decided('for_some', 3, { targetingGateID: 'a_gate' }),
      member('running'),
    ];
    const { spec, configs } = checkout(experiments, { holdoutIDs: ['held'] });
    const effective = { a: 'a2', b: 'b2', c: 'c1' };
    expect(spec).toMatchObject({ defaultValue: effective });
    expect(ruleOf(spec, 'held')).toMatchObject({ returnValue: raw, passPercentage: 100 });
    expect(ruleOf(configs.get('running'), 'running_group')?.returnValue).toEqual({
      ...effective,
      a: 'running',
    });
    expect(ruleOf(configs.get('running'), 'held')?.returnValue).toEqual(raw);
    expect(handsOn(spec)).toEqual([
      ['held', undefined],
      ['experimentAssignment', 'running'],
      ['launched', 'for_some'],
    ]);
  });

  test('delegates targeted units to decided experiments, newest decision first', () => {
    const inline = JSON.stringify([rule('r')]);
    const { spec } = checkout([
      decided('older', 1, { targetingGateID: 'a_gate' }),
      decided('newer', 2, { targetingGateID: 'a_gate', inlineTargetingRulesJSON: inline }),
    ]);
    expect(handsOn(spec)).toEqual([
      ['launched', 'newer'],
      ['launched', 'older'],
    ]);
    expect(spec?.rules[0]?.conditions.map(({ targetValue }) => targetValue)).toEqual([
      'a_gate',
      'segment:targeting:newer',
    ]);
  });

  test('reports the parameters that its experiments set', () => {
    const groups = [group('one', 50, { a: 1 }), group('two', 50, { b: 1, a: 2 })];
    const { configs, layerOfExperiment } = checkout([member('tried', { groups })]);
    expect(configs.get('tried')).toMatchObject({
      hasSharedParams: true,
      explicitParameters: ['a', 'b'],
    });
    expect(layerOfExperiment.get('tried')).toBe('checkout');
    expect(alone()?.hasSharedParams).toBeUndefined();
    expect(alone()?.explicitParameters).toBeUndefined();
  });

  test('applies its own holdouts first, then those of the experiment, each once', () => {
    const held = { holdoutIDs: ['mine', 'held'] };
    const { configs } = checkout([member('tried', held)], { holdoutIDs: ['held', 'wide'] });
    expect(ids(configs.get('tried'))).toEqual([
      'held',
      'wide',
      'mine',
      'layerAssignment',
      'tried_group',
    ]);
    expect(ruleOf(configs.get('tried'), 'mine')).toMatchObject({
      passPercentage: 100,
      returnValue: raw,
    });
    expect(ruleOf(alone(held), 'mine')).toMatchObject({ passPercentage: 0 });
  });

  test('of an experiment is ignored if it does not exist', () => {
    expect(ids(alone({ layerID: 'nowhere' }))).toEqual(['layerAssignment', 'control', 'test']);
  });
});

describe('a layer with overrides', () => {
  test('has the overrides of all its experiments first, starting with ID overrides', () => {
    const overrides = {
      idOverrides: [
        {
          experimentName: 'tried',
          groupName: 'Group tried_group',
          ids: ['u-1'],
          idType: 'userID',
          environment: '',
        },
      ],
      conditionalOverrides: [
        {
          type: 'segment' as const,
          name: 'people',
          experimentName: 'tried',
          groupName: 'Group tried_group',
        },
      ],
    };
    const own = {
      userIDOverrides: [{ groupID: 'other_group', ids: ['u-2'] }],
      overrides: [{ type: 'gate' as const, id: 'a_gate', groupID: 'other_group' }],
    };
    const experiments = [member('tried', { status: 'setup' }), member('other', { overrides: own })];
    const { spec, configs } = checkout(experiments, { overrides });
    expect(handsOn(spec)).toEqual([
      ['other:other_group:userID:id_override', 'other'],
      ['tried:tried_group:userID:id_override', 'tried'],
      ['other:other_group:a_gate:override', 'other'],
      ['tried:tried_group:segment:people:override', 'tried'],
      ['experimentAssignment', 'other'],
    ]);
    expect(ids(configs.get('tried'))).toEqual([
      'tried_group:userID:id_override',
      'tried_group:segment:people:override',
      'prestart',
    ]);
  });

  test('overrides in one experiment only, regardless of the group names of others', () => {
    const control = { experimentName: 'tried', groupName: 'Group control' };
    const overrides = {
      idOverrides: [{ ...control, ids: ['u-1'], idType: 'userID', environment: '' }],
      conditionalOverrides: [{ ...control, type: 'gate' as const, name: 'a_gate' }],
    };
    const experiments = ['tried', 'other'].map((id) => experiment({ id, layerID: 'checkout' }));
    const { spec, configs } = checkout(experiments, { overrides });
    expect(handsOn(spec)?.slice(0, 2)).toEqual([
      ['tried:control:userID:id_override', 'tried'],
      ['tried:control:a_gate:override', 'tried'],
    ]);
    expect(ids(configs.get('other'))).toEqual(['layerAssignment', 'control', 'test']);
  });

  test('has overrides before those of its experiments, and before holdouts', () => {
    const toOne = { experimentName: 'tried', groupName: 'Group one' };
    const overrides = {
      idOverrides: [{ ...toOne, ids: ['u-1'], idType: 'userID', environment: '' }],
      conditionalOverrides: [{ ...toOne, type: 'gate' as const, name: 'a_gate' }],
    };
    const own = {
      userIDOverrides: [{ groupID: 'two', ids: ['u-1'] }],
      overrides: [{ type: 'gate' as const, id: 'a_gate', groupID: 'two' }],
    };
    const groups = [group('one', 50), group('two', 50)];
    const { spec, configs } = checkout([member('tried', { groups, overrides: own })], {
      overrides,
      holdoutIDs: ['held'],
    });
    const inOrder = [
      'one:userID:id_override',
      'two:userID:id_override',
      'one:a_gate:override',
      'two:a_gate:override',
    ];
    expect(ids(configs.get('tried'))?.slice(0, 5)).toEqual([...inOrder, 'held']);
    expect(ids(spec)?.slice(0, 5)).toEqual([...inOrder.map((id) => `tried:${id}`), 'held']);
  });

  test('has overrides of its experiments by start time', () => {
    const overriding = (id: string, startTime: number | null) => {
      const userIDOverrides = [{ groupID: `${id}_group`, ids: ['u-1'] }];
      return member(id, { startTime, overrides: { overrides: [], userIDOverrides } });
    };
    const experiments = [overriding('a', null), overriding('b', 2), overriding('c', 1)];
    expect(handsOn(checkout(experiments).spec)?.slice(0, 3)).toEqual([
      ['c:c_group:userID:id_override', 'c'],
      ['b:b_group:userID:id_override', 'b'],
      ['a:a_group:userID:id_override', 'a'],
    ]);
  });
});
