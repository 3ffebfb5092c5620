import { expect, test } from 'vitest';
import { ok } from './support/client.ts';
import { everyone, makeExperiment, makeGate, phase } from './support/factories.ts';

test('bodies in tests do not compile with an unknown property', () => {
  // Only compiled: without an error of the compiler in the next line, `@ts-expect-error` is one.
  const wrong = [
    // @ts-expect-error
    () => makeGate({ nmae: 'Gate' }),
    // @ts-expect-error
    () => makeExperiment({ groups: [{ name: 'Test', size: 100, weight: 1 }] }),
    // @ts-expect-error
    () => ok('POST', 'gates', { name: 'Gate', rules: [{ ...everyone, share: 1 }] }),
    // @ts-expect-error
    () => ok('PATCH', `gates/${1}`, { enabled: true }),
    // @ts-expect-error
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
