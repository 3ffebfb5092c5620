import { expect, test } from 'vitest';
import { gates } from '../../src/flags/gates/table.ts';
import { staging } from '../../src/platform/store/changes/staging.ts';
import { stepsOf } from '../support/work.ts';

/** Entities that one request changes, for example by renaming a tag of all of them. */
const entityCount = 20_000;

test('each of 20,000 staged entities is found without a search through the others', async () => {
  const { stage, state, states, snapshot } = staging();
  const step = {
    kind: gates,
    origin: '',
    bodyPrefixes: new Map(),
    before: undefined,
    after: undefined,
  };
  const ids = Array.from({ length: entityCount }, (_, number) => `gate_${number}`);
  const found: string[] = [];
  const steps = await stepsOf(() => {
    for (const id of ids) {
      const isStaged = state(gates, id) !== undefined;
      stage({ ...step, id, version: 1, action: 'create' });
      stage({ ...step, id, version: 2, action: 'delete' });
      if (!isStaged && state(gates, id)?.version === 2 && !snapshot(gates, id, 1)) found.push(id);
    }
  });
  expect(steps).toBeLessThan(10 * entityCount);
  expect(found).toEqual(ids);
  expect(states(gates)).toHaveLength(entityCount);
});
