import { expect, test } from 'vitest';
import { call, costOf, ok } from '../support/client.ts';
import {
  makeDynamicConfig,
  makeExperiment,
  makeGate,
  makeLayer,
  makeParamStore,
  makeSegment,
  passing,
  unique,
} from '../support/factories.ts';

test('references lists dependents and dependencies in one round trip', async () => {
  const segment = await makeSegment();
  const gate = await makeGate({
    rules: [
      {
        name: 'Testers',
        passPercentage: 100,
        conditions: [
          { type: 'passes_segment', targetValue: segment.id },
          { type: 'fails_segment', targetValue: segment.id },
        ],
      },
    ],
  });
  const experiment = await makeExperiment({ targetingGateID: gate.id });
  const other = await makeGate({ rules: [passing(gate.id)] });
  const answer = await call('GET', `gates/${gate.id}/references`);
  expect(costOf(answer).trips).toBe(1);
  expect(answer.data).toEqual({
    usedBy: [
      { kind: 'experiment', id: experiment.id, field: 'targetingGateID' },
      { kind: 'gate', id: other.id, field: 'rules' },
    ],
    uses: [{ kind: 'segment', id: segment.id, field: 'rules' }],
    more: false,
  });
  const { usedBy } = await ok('GET', `segments/${segment.id}/references`);
  expect(usedBy).toEqual([{ kind: 'gate', id: gate.id, field: 'rules' }]);
});

test('references lists a config once that a parameter uses', async () => {
  const config = await makeDynamicConfig({ defaultValue: { days: 7 } });
  const days = { name: 'days', ref_type: 'dynamic_config', param_type: 'number' };
  const store = await makeParamStore({
    parameters: [{ ...days, config_name: config.id, param_name: 'days' }],
  });
  const { uses } = await ok('GET', `param_stores/${store.id}/references`);
  expect(uses).toEqual([{ kind: 'dynamic_config', id: config.id, field: 'parameters' }]);
});

test('references lists an experiment once for all overrides of a layer', async () => {
  const layer = await makeLayer();
  const groups = [
    { name: 'Control', size: 50 },
    { name: 'Test', size: 50 },
  ];
  const experiment = await makeExperiment({ layerID: layer.id, groups });
  const idOverrides = groups.map(({ name }) => ({
    experimentName: experiment.id,
    groupName: name,
    ids: [`of ${name}`],
  }));
  await ok('POST', `layers/${layer.id}/overrides`, { idOverrides });
  const answer = await call('GET', `experiments/${experiment.id}/references`);
  expect(costOf(answer).trips).toBe(1);
  expect(answer.data.usedBy).toEqual([{ kind: 'layer', id: layer.id, field: 'idOverrides' }]);
  const { uses } = await ok('GET', `layers/${layer.id}/references`);
  expect(uses).toEqual([{ kind: 'experiment', id: experiment.id, field: 'idOverrides' }]);
});

test('references is empty for a gate without any, and 404 for an unknown gate', async () => {
  const { id } = await makeGate({ name: unique('Alone') });
  expect(await ok('GET', `gates/${id}/references`)).toEqual({ usedBy: [], uses: [], more: false });
  expect((await call('GET', 'gates/nowhere/references')).status).toBe(404);
});
