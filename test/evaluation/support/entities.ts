import type {
  AutotuneEntity,
  ConditionEntity,
  DynamicConfigEntity,
  Entities,
  ExperimentEntity,
  GateEntity,
  GroupEntity,
  HoldoutEntity,
  LayerEntity,
  ParamStoreEntity,
  RuleEntity,
  SegmentEntity,
} from '../../../src/engine/evaluation/entities.ts';

/** Entities for the compiler with default properties. */

type Given<E> = Partial<E> & { id: string };

const common = {
  version: 1,
  createdTime: 1_790_000_000_000,
  idType: 'userID',
  targetApps: [],
  holdoutIDs: [],
};

export const rule = (
  id: string,
  conditions: readonly ConditionEntity[] = [{ type: 'public' }],
  more: Partial<RuleEntity> = {},
): RuleEntity => ({
  id,
  baseID: id,
  name: `Rule ${id}`,
  passPercentage: 100,
  conditions,
  environments: null,
  ...more,
});

export const gate = (given: Given<GateEntity>): GateEntity => ({
  ...common,
  status: 'In Progress',
  rules: [],
  overrides: { passingUserIDs: [], failingUserIDs: [], environmentOverrides: [] },
  ...given,
});

export const dynamicConfig = (given: Given<DynamicConfigEntity>): DynamicConfigEntity => ({
  ...common,
  status: 'In Progress',
  rules: [],
  defaultValue: { from: 'default' },
  ...given,
});

export const segment = (given: Given<SegmentEntity>): SegmentEntity => ({
  ...common,
  type: 'rule_based',
  rules: [],
  ids: [],
  ...given,
});

export const holdout = (given: Given<HoldoutEntity>): HoldoutEntity => ({
  ...common,
  isEnabled: true,
  passPercentage: 10,
  targetingGateID: '',
  overrides: { passingUserIDs: [], failingUserIDs: [], environmentOverrides: [] },
  ...given,
});

export const group = (
  id: string,
  size: number,
  parameterValues: GroupEntity['parameterValues'] = { from: id },
  disabled = false,
): GroupEntity => ({ id, name: `Group ${id}`, size, parameterValues, disabled });

export const experiment = (given: Given<ExperimentEntity>): ExperimentEntity => ({
  ...common,
  status: 'active',
  archivedFrom: null,
  startTime: 1_790_000_000_000,
  decisionTime: null,
  launchedGroupID: null,
  layerID: null,
  groups: [group('control', 50), group('test', 50)],
  allocation: 100,
  targetingGateID: '',
  inlineTargetingRulesJSON: '[]',
  overrides: { overrides: [], userIDOverrides: [] },
  ...given,
});

export const layer = (given: Given<LayerEntity>): LayerEntity => ({
  ...common,
  parameters: [],
  overrides: { conditionalOverrides: [], idOverrides: [] },
  ...given,
});

export const autotune = (given: Given<AutotuneEntity>): AutotuneEntity => ({
  ...common,
  status: 'active',
  startTime: 1_790_000_000_000,
  decidedVariant: null,
  variants: ['red', 'blue'].map((name) => ({ name, json: { colour: name }, size: 50 })),
  ...given,
});

export const paramStore = (given: Given<ParamStoreEntity>): ParamStoreEntity => ({
  version: 1,
  createdTime: 1_790_000_000_000,
  targetAppIDs: [],
  parameters: [],
  ...given,
});

/** A project of the given entities. */
export const entities = (given: Partial<Entities> = {}): Entities => ({
  gates: [],
  dynamicConfigs: [],
  experiments: [],
  layers: [],
  holdouts: [],
  segments: [],
  autotunes: [],
  paramStores: [],
  ...given,
});
