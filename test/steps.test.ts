import { expect, test } from 'vitest';
import { gates } from '../src/resources/gates/table.ts';
import { staging } from '../src/store/changes/staging.ts';

/** Entities that one request changes which renames what everything carries. */
const most = 20_000;

test('among tens of thousands of staged steps each entity is found at once', () => {
  const { stage, state, states, snapshot } = staging();
  const step = { kind: gates, origin: '', sentAs: new Map(), before: undefined, after: undefined };
  const ids = Array.from({ length: most }, (_, number) => `gate_${number}`);
  const began = performance.now();
  const found = ids.filter((id) => {
    const isStaged = state(gates, id) !== undefined;
    stage({ ...step, id, version: 1, action: 'create' });
    stage({ ...step, id, version: 2, action: 'delete' });
    return !isStaged && state(gates, id)?.version === 2 && !snapshot(gates, id, 1);
  });
  expect(performance.now() - began).toBeLessThan(2000);
  expect(found).toEqual(ids);
  expect(states(gates)).toHaveLength(most);
});
