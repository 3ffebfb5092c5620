import { expect, test } from 'vitest';
import { gates } from '../src/resources/gates/table.ts';
import { staging } from '../src/store/steps.ts';

/** Steps that a transaction stages in one request that renames what everything carries. */
const most = 50_000;

test('among tens of thousands of staged steps each entity is found at once', () => {
  const { stage, state, states, snapshot } = staging();
  const step = { kind: gates, origin: '', before: undefined, after: undefined };
  const began = performance.now();
  for (let number = 0; number < most; number++) {
    const id = `gate_${number}`;
    expect(state(gates, id)).toBeUndefined();
    stage({ ...step, id, version: 1, action: 'create' });
    expect(snapshot(gates, id, 1)).toBeUndefined();
    stage({ ...step, id, version: 2, action: 'delete' });
    expect(state(gates, id)).toMatchObject({ id, version: 2, isGone: true });
  }
  expect(states(gates)).toHaveLength(most);
  expect(performance.now() - began).toBeLessThan(5000);
});
