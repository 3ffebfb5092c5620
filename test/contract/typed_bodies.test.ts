import { expect, test } from 'vitest';
import { ok } from '../support/client.ts';
import { everyone, makeExperiment, makeGate, phase } from '../support/factories.ts';

test('bodies in tests do not compile with an unknown property', () => {
  const wrong = [
    // @ts-expect-error The factory takes only properties of a gate, so a misspelled name fails.
    () => makeGate({ nmae: 'Gate' }),
    // @ts-expect-error The groups of an experiment have a size and no weight.
    () => makeExperiment({ groups: [{ name: 'Test', size: 100, weight: 1 }] }),
    // @ts-expect-error The rules of a gate have a passPercentage and no share.
    () => ok('POST', 'gates', { name: 'Gate', rules: [{ ...everyone, share: 1 }] }),
    // @ts-expect-error An update of a gate sets isEnabled, not enabled.
    () => ok('PATCH', `gates/${1}`, { enabled: true }),
    // @ts-expect-error A phase has timeIntervalMs and no interval.
    () => phase('Canary', { interval: 1 }),
  ];
  const right = [
    () => makeGate({ name: 'Gate' }),
    () => ok('POST', 'gates', { name: 'Gate', rules: [everyone] }),
    () => ok('PATCH', `gates/${1}`, { isEnabled: true }),
    () => ok('PATCH', `gates/${1}/overrides`, { passingUserIDs: [] }),
  ];
  expect([wrong.length, right.length]).toEqual([5, 4]);
});
