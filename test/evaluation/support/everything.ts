import { allocate } from '../../../src/engine/evaluation/buckets.ts';
import type {
  Entities,
  ExperimentEntity,
  GateEntity,
  ParamStoreEntity,
} from '../../../src/engine/evaluation/entities.ts';
import { comparisons } from './conditions.ts';
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
} from './entities.ts';

/** A project with every condition × operator, override, holdout, layer, and status of every type of entity. */

const everyone = { type: 'public' };
const passes = (targetValue: string) => ({ type: 'passes_gate', targetValue });
const fails = (targetValue: string) => ({ type: 'fails_gate', targetValue });
const inSegment = (targetValue: string) => ({ type: 'passes_segment', targetValue });
const notInSegment = (targetValue: string) => ({ type: 'fails_segment', targetValue });
const inGroup = (field: string, operator: 'any' | 'none', targetValue: string | string[]) => ({
  type: 'experiment_group',
  field,
  operator,
  targetValue,
});
const plan = {
  type: 'custom_field',
  field: 'plan',
  operator: 'any',
  targetValue: ['alpha', 'beta'],
};
const germans = { type: 'country', operator: 'any', targetValue: 'DE' };

const someIDs = Array.from({ length: 5 }, (_, index) => `u-${index}`);
const otherIDs = Array.from({ length: 5 }, (_, index) => `u-${index + 5}`);
const companies = ['c-1', 'c-2', 'C-3', 'c-4', 'c-5', 'c-6', 'c-7', 'c-8'];

const stableIDs = Array.from({ length: 100 }, (_, index) => `s-${index}`);

const overrides: GateEntity['overrides'] = {
  passingUserIDs: ['u-0', 'U-1'],
  failingUserIDs: ['u-2', 'u-0'],
  environmentOverrides: [
    { environment: 'staging', unitID: 'userID', passingIDs: ['u-3'], failingIDs: ['u-4'] },
    { environment: null, unitID: 'companyID', passingIDs: companies, failingIDs: ['c-9', 'c-10'] },
    { unitID: 'stableID', passingIDs: [], failingIDs: stableIDs },
  ],
};

const comparing = comparisons.map(([id, condition]) =>
  gate({
    id,
    rules: [
      rule('and_more', [condition, plan]),
      rule('holds', [condition], { passPercentage: 60 }),
      rule('else', [everyone], { passPercentage: 0.07 }),
    ],
  }),
);

const gates = [
  ...comparing,
  gate({ id: 'overridden', overrides, rules: [rule('half', [everyone], { passPercentage: 50 })] }),
  gate({
    id: 'launched',
    status: 'Launched',
    overrides,
    holdoutIDs: ['held'],
    rules: [rule('no', [plan])],
  }),
  gate({ id: 'off', status: 'Disabled', overrides, rules: [rule('all')] }),
  gate({ id: 'gone', status: 'Archived', rules: [rule('all')] }),
  gate({ id: 'empty' }),
  gate({
    id: 'held_twice',
    holdoutIDs: ['held', 'held_germans'],
    rules: [rule('most', [everyone], { passPercentage: 99.5 })],
  }),
  gate({
    id: 'in_environments',
    rules: [
      rule('staging', [plan], { environments: ['staging', 'development'] }),
      rule('nowhere', [everyone], { environments: [] }),
      rule('production', [everyone], { environments: ['production'], passPercentage: 33.3 }),
    ],
  }),
  gate({
    id: 'by_company',
    idType: 'companyID',
    rules: [rule('third', [everyone], { passPercentage: 33.33, baseID: 'first_third' })],
  }),
  gate({
    id: 'asking',
    rules: [
      rule('both', [passes('held_twice'), passes('overridden')]),
      rule('neither', [fails('by_company'), fails('in_environments'), fails('gone')]),
      rule('listed', [inSegment('few_users'), notInSegment('many_users')]),
    ],
  }),
  gate({ id: 'asking_again', rules: [rule('asked', [passes('asking'), fails('held_twice')])] }),
  gate({ id: 'asking_off', rules: [rule('off', [passes('off')]), rule('else', [fails('off')])] }),
  gate({
    id: 'of_segments',
    rules: [
      rule('rules', [inSegment('by_rule')], { passPercentage: 80 }),
      rule('many', [inSegment('many_users')]),
      rule('companies', [inSegment('companies'), notInSegment('many_companies')]),
    ],
  }),
  gate({
    id: 'of_groups',
    rules: [
      rule('tested', [inGroup('active_0', 'any', 'Group test')]),
      rule('not_control', [inGroup('active_1', 'none', ['Group control', 'Group third'])]),
      rule('decided', [inGroup('decision_made_1', 'any', ['Group test'])]),
      rule('absent', [inGroup('archived_0', 'none', ['Group test'])], { passPercentage: 50 }),
    ],
  }),
];

const dynamicConfigs = [
  dynamicConfig({
    id: 'theme',
    holdoutIDs: ['held'],
    rules: [
      rule('own', [plan], { returnValue: { from: 'own' }, passPercentage: 50 }),
      rule('plain', [germans]),
      rule('asked', [passes('asking')], { returnValue: { from: 'asked', list: [1, { a: null }] } }),
    ],
  }),
  dynamicConfig({ id: 'theme_off', status: 'Disabled', rules: [rule('all')] }),
  dynamicConfig({ id: 'theme_gone', status: 'Archived' }),
  dynamicConfig({
    id: 'theme_variants',
    holdoutIDs: ['held_by_name'],
    rules: [
      rule('three', [germans], {
        returnValue: { from: 'rest' },
        variants: [
          { name: 'red', passPercentage: 33.33, returnValue: { colour: 'red' } },
          { name: 'blue', passPercentage: 33.33, returnValue: { colour: 'blue' } },
        ],
      }),
      rule('half', [everyone], {
        passPercentage: 50,
        variants: [{ name: 'all', passPercentage: 100, returnValue: { colour: 'all' } }],
      }),
    ],
  }),
  dynamicConfig({
    id: 'theme_devices',
    idType: 'stableID',
    rules: [rule('half', [everyone], { passPercentage: 50, returnValue: {} })],
  }),
];

const holdouts = [
  holdout({ id: 'held', passPercentage: 10 }),
  holdout({ id: 'held_germans', passPercentage: 9.5, targetingGateID: 'c_country_any' }),
  holdout({ id: 'held_off', isEnabled: false }),
  holdout({ id: 'held_by_name', passPercentage: 5, overrides }),
  holdout({ id: 'held_companies', idType: 'companyID', passPercentage: 7.77 }),
  holdout({ id: 'theme_hold', passPercentage: 5, targetingGateID: 'gone' }),
  holdout({ id: 'overridden', passPercentage: 10 }), // a gate has the same ID
];

const many = (prefix: string) =>
  Array.from({ length: 1001 }, (_, index) => `${prefix}-${index * 3}`);

const segments = [
  segment({
    id: 'by_rule',
    rules: [
      rule('plan', [plan], { environments: ['production', 'staging'] }),
      rule('de', [germans], { passPercentage: 50 }),
    ],
  }),
  segment({ id: 'few_users', type: 'id_list', ids: [...someIDs, 'U-9'] }),
  segment({ id: 'many_users', type: 'id_list', ids: many('u') }),
  segment({
    id: 'companies',
    type: 'id_list',
    idType: 'companyID',
    ids: ['c-8', 'c-20', 'c-21', 'c-22'],
  }),
  segment({ id: 'many_companies', type: 'id_list', idType: 'companyID', ids: many('c') }),
  segment({ id: 'no_users', type: 'id_list' }),
];

/** Optional features of an experiment, distributed over the statuses. */
const features: Partial<ExperimentEntity>[] = [
  {},
  { targetingGateID: 'overridden', allocation: 70 },
  {
    inlineTargetingRulesJSON: JSON.stringify([
      { name: 'Some', passPercentage: 50, conditions: [plan] },
      { ...rule('germans', [germans]), environments: ['production'] },
    ]),
  },
  { holdoutIDs: ['held', 'held_off'], allocation: 33.3 },
  {
    overrides: {
      overrides: [
        { type: 'gate', id: 'c_country_any', groupID: 'test' },
        { type: 'segment', id: 'by_rule', groupID: 'third', environment: 'staging' },
        { type: 'segment', id: 'companies', groupID: 'control', environment: null },
      ],
      userIDOverrides: [
        { groupID: 'control', ids: [...someIDs, 'c-9'] },
        { groupID: 'test', ids: otherIDs, unitType: 'userID', environment: 'production' },
        { groupID: 'third', ids: companies, unitType: 'companyID' },
        { groupID: 'test', ids: [] },
      ],
    },
  },
  { idType: 'companyID', salt: 'imported' },
  { userBuckets: Array.from({ length: 150 }, (_, index) => index * 6) },
  {
    groups: [
      group('control', 33.3),
      group('test', 33.3, { from: 'test', size: 2 }, true),
      group('third', 33.4, { from: 'third', size: 3 }),
    ],
    launchedGroupID: 'third',
  },
];

const statuses: Partial<ExperimentEntity>[] = [
  { status: 'setup', startTime: null },
  { status: 'setup', startTime: null, enabledNonProdEnvironments: ['staging', 'development'] },
  { status: 'active' },
  { status: 'assignment_stopped' },
  { status: 'decision_made', launchedGroupID: 'test', decisionTime: 1_790_500_000_000 },
  { status: 'experiment_stopped' },
  { status: 'abandoned' },
  {
    status: 'archived',
    archivedFrom: 'decision_made',
    launchedGroupID: 'control',
    decisionTime: 1,
  },
  { status: 'archived', archivedFrom: 'setup' },
];

const threeGroups = [
  group('control', 20, { from: 'control' }),
  group('test', 30, { from: 'test', size: 1 }),
  group('third', 50, { from: 'third', list: ['a'] }),
];

/** One experiment for each status, each with the next feature. */
const eachStatus = (suffix: string, shift: number, more: Partial<ExperimentEntity>) =>
  statuses.map((status, index) =>
    experiment({
      id: `${status.archivedFrom ?? status.status}_${index}${suffix}`,
      groups: threeGroups,
      ...features[(index * 3 + shift) % features.length],
      ...status,
      ...more,
    }),
  );

/** Experiments outside layers: running ones with each feature, and others with three of them. */
const alone = features.flatMap((_, shift) =>
  eachStatus(`_f${shift}`, shift, {}).filter(
    ({ status }) => status === 'active' || shift % 3 === 0,
  ),
);

/** Gives the experiments of a layer separate buckets, as if they had been started. */
function started(members: readonly ExperimentEntity[]): ExperimentEntity[] {
  const held = new Set<number>();
  return members.map((member) => {
    if (member.status !== 'active') return member;
    const { buckets } = allocate(member, [], held);
    for (const bucket of buckets) held.add(bucket);
    return { ...member, allocatedBuckets: buckets };
  });
}

const layered = [0, 3, 4].flatMap((shift) =>
  eachStatus(`_l${shift}`, shift, { layerID: 'checkout', allocation: 25, idType: 'userID' }).map(
    (member, index) => ({
      ...member,
      startTime: member.startTime && member.startTime + index,
      userBuckets: member.userBuckets?.map((bucket) => bucket + shift),
    }),
  ),
);

const inCompanies = eachStatus('_lc', 1, {
  layerID: 'companies',
  idType: 'companyID',
  allocation: 60,
});

const layers = [
  layer({
    id: 'checkout',
    parameters: [
      { name: 'from', defaultValue: 'layer' },
      { name: 'size', defaultValue: 0 },
      { name: 'list', defaultValue: [] },
      { name: 'colour', defaultValue: 'grey' },
    ],
    holdoutIDs: ['held_companies', 'held'],
    overrides: {
      idOverrides: [
        {
          experimentName: 'active_2_l0',
          groupName: 'Group test',
          ids: ['u-1', 'u-6'],
          idType: 'userID',
          environment: '',
        },
        {
          experimentName: 'active_2_l3',
          groupName: 'Group third',
          ids: ['u-1', 'u-7'],
          idType: 'userID',
          environment: 'staging',
        },
        {
          experimentName: 'decision_made_4_l0',
          groupName: 'Group third',
          ids: ['c-11'],
          idType: 'companyID',
          environment: '',
        },
      ],
      conditionalOverrides: [
        {
          type: 'segment',
          name: 'companies',
          experimentName: 'active_2_l4',
          groupName: 'Group third',
        },
        {
          type: 'gate',
          name: 'c_os_name_any',
          experimentName: 'active_2_l0',
          groupName: 'Group control',
        },
        {
          type: 'gate',
          name: 'c_os_name_any',
          experimentName: 'active_2_l0',
          groupName: 'No such group',
        },
      ],
    },
  }),
  layer({
    id: 'companies',
    idType: 'companyID',
    parameters: ['from', 'size', 'list'].map((name) => ({ name, defaultValue: name })),
  }),
  layer({ id: 'unused', parameters: [{ name: 'a', defaultValue: { b: 1 } }] }),
];

const autotunes = [
  autotune({ id: 'tuned' }),
  autotune({
    id: 'tuned_evenly',
    variants: ['a', 'b', 'c'].map((name) => ({ name, json: { name }, size: 0 })),
  }),
  autotune({ id: 'tuned_by_weights', weights: [12.34, 87.66] }),
  autotune({ id: 'tuned_setup', status: 'setup', startTime: null }),
  autotune({ id: 'tuned_decided', status: 'decision_made', decidedVariant: 'blue' }),
];

const parameters: ParamStoreEntity['parameters'] = [
  { name: 'fixed', ref_type: 'static', param_type: 'string', value: 'text' },
  {
    name: 'gated',
    ref_type: 'gate',
    param_type: 'number',
    gate_name: 'asking',
    pass_value: 1,
    fail_value: 0,
  },
  {
    name: 'layered',
    ref_type: 'layer',
    param_type: 'string',
    layer_name: 'checkout',
    param_name: 'from',
  },
  {
    name: 'configured',
    ref_type: 'dynamic_config',
    param_type: 'string',
    config_name: 'theme',
    param_name: 'from',
  },
  {
    name: 'tried',
    ref_type: 'experiment',
    param_type: 'array',
    experiment_name: 'active_2_l0',
    param_name: 'list',
  },
];

/** The experiments that rules depend on: two running, one decided, one not served. */
const named = [
  experiment({ id: 'active_0', allocation: 50, holdoutIDs: ['held_germans'] }),
  experiment({ id: 'active_1', groups: threeGroups, targetingGateID: 'c_locale_any' }),
  experiment({
    id: 'decision_made_1',
    status: 'decision_made',
    launchedGroupID: 'test',
    targetingGateID: 'asking',
  }),
  experiment({ id: 'archived_0', status: 'archived', archivedFrom: 'setup' }),
  experiment({ id: 'elsewhere', assignmentSourceName: 'warehouse' }),
  experiment({ id: 'analysed', isAnalysisOnly: true }),
];

export const everything: Entities = entities({
  gates,
  dynamicConfigs,
  holdouts,
  segments,
  experiments: [...named, ...alone, ...started(layered), ...started(inCompanies)],
  layers,
  autotunes,
  paramStores: [paramStore({ id: 'store', parameters })],
});
