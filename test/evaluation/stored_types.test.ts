import { expectTypeOf, test } from 'vitest';
import type {
  AutotuneEntity,
  DynamicConfigEntity,
  ExperimentEntity,
  GateEntity,
  HoldoutEntity,
  LayerEntity,
  ParamStoreEntity,
  SegmentEntity,
} from '../../src/engine/evaluation/entities.ts';
import type { Autotune } from '../../src/experiments/autotunes/schema.ts';
import type { Experiment } from '../../src/experiments/experiments/schema.ts';
import type { Holdout } from '../../src/experiments/holdouts/schema.ts';
import type { Layer } from '../../src/experiments/layers/schema.ts';
import type { DynamicConfig } from '../../src/flags/dynamic_configs/schema.ts';
import type { Gate } from '../../src/flags/gates/schema.ts';
import type { ParamStore } from '../../src/flags/param_stores/schema.ts';
import type { Segment } from '../../src/flags/segments/schema.ts';

test('stored entities have the types that the compiler reads', () => {
  expectTypeOf<Gate>().toExtend<GateEntity>();
  expectTypeOf<DynamicConfig>().toExtend<DynamicConfigEntity>();
  expectTypeOf<Experiment>().toExtend<ExperimentEntity>();
  expectTypeOf<Layer>().toExtend<LayerEntity>();
  expectTypeOf<Holdout>().toExtend<HoldoutEntity>();
  expectTypeOf<Segment>().toExtend<SegmentEntity>();
  expectTypeOf<Autotune>().toExtend<AutotuneEntity>();
  expectTypeOf<ParamStore>().toExtend<ParamStoreEntity>();
});
