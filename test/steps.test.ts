import { expect, test } from 'vitest';
import { gates } from '../src/resources/gates/table.ts';
import { staging } from '../src/store/changes/staging.ts';
import { stepsOf } from './support/work.ts';

/** Entities that one request changes which renames what everything carries. */
const most = 20_000;

test('among tens of thousands of staged steps each entity is found at once', async () => {
  const { stage, state, states, snapshot } = staging();
  const step = { kind: gates, origin: '', sentAs: new Map(), before: undefined, after: undefined };
  const ids = Array.from({ length: most }, (_, number) => `gate_${number}`);
  const found: string[] = [];
  const steps = await stepsOf(() => {
    for (const id of ids) {
      const isStaged = state(gates, id) !== undefined;
      stage({ ...step, id, version: 1, action: 'create' });
      stage({ ...step, id, version: 2, action: 'delete' });
      if (!isStaged && state(gates, id)?.version === 2 && !snapshot(gates, id, 1)) found.push(id);
    }
  });
  expect(steps).toBeLessThan(10 * most);
  expect(found).toEqual(ids);
  expect(states(gates)).toHaveLength(most);
});
