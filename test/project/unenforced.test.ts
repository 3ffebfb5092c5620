import { describe, expect, test } from 'vitest';
import { base, call, ok } from '../support/client.ts';
import { makeGate, unique } from '../support/factories.ts';

const warned = (...properties: string[]) =>
  properties.map((property) => ({ property, message: 'is stored, and nothing enforces it yet' }));

/** Calls an operation, and returns its warnings. */
async function warningsOf(method: string, path: string, body?: object) {
  const answer = await call(method, path, { body });
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.body.warnings;
}

describe('a change that sets what nothing enforces yet', () => {
  test('is warned of at requiredReview of a gate', async () => {
    const review = { reviewSettings: { requiredReview: true } };
    const expected = warned('reviewSettings.requiredReview');
    expect(await warningsOf('POST', 'gates', { name: unique('Gate'), ...review })).toEqual(
      expected,
    );
    const { id } = await makeGate();
    expect(await warningsOf('PATCH', `gates/${id}`, review)).toEqual(expected);
    expect(await warningsOf('PATCH', `gates/${id}`, { description: 'Other.' })).toBeUndefined();
    const off = { reviewSettings: { requiredReview: false } };
    expect(await warningsOf('PATCH', `gates/${id}`, off)).toBeUndefined();
    expect(await warningsOf('PUT', `gates/${id}/versions/2/restore`)).toEqual(expected);
  });

  test('is warned of at each flag of an environment that is newly on', async () => {
    const name = unique('env');
    const environments = [{ name: 'production' }, { name, requiresReview: true }];
    expect(await warningsOf('POST', 'environments', { environments })).toEqual(
      warned('environments.1.requiresReview'),
    );
    expect(await warningsOf('POST', 'environments', { environments })).toBeUndefined();
    const both = [{ name, requiresReview: true, requiresReleasePipeline: true }];
    expect(await warningsOf('POST', 'environments', { environments: both })).toEqual(
      warned('environments.0.requiresReleasePipeline'),
    );
  });

  test('is warned of at the role of a user, whenever a body gives one', async () => {
    const email = `${unique('ada').replace(' ', '')}@shop.example`;
    expect(await warningsOf('POST', 'users', { email })).toBeUndefined();
    const other = { email: `other-${email}`, role: 'member' };
    expect(await warningsOf('POST', 'users', other)).toEqual(warned('role'));
    expect(await warningsOf('PATCH', `users/${email}`, { role: 'admin' })).toEqual(warned('role'));
    expect(await warningsOf('PATCH', `users/${email}`, { name: 'Ada' })).toBeUndefined();
  });

  test('is warned of among many changes, each at its own', async () => {
    const { id } = await makeGate();
    const reviewSettings = { requiredReview: true };
    const changes = [
      { method: 'PATCH', path: `${base}/gates/${id}`, body: { description: 'Other.' } },
      { method: 'PATCH', path: `${base}/gates/${id}`, body: { reviewSettings } },
    ];
    const [first, second] = await ok('POST', 'changes', { changes });
    expect(first.body.warnings).toBeUndefined();
    expect(second.body.warnings).toEqual(warned('reviewSettings.requiredReview'));
  });
});
