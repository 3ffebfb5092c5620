import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { evaluateFlag } from '../support/apps.ts';
import { base, call, ok } from '../support/client.ts';
import {
  makeAutotune,
  makeDynamicConfig,
  makeExperiment,
  makeGate,
  unique,
} from '../support/factories.ts';

const everyone = [{ type: 'public' }];
const makers = {
  dynamic_configs: makeDynamicConfig,
  experiments: makeExperiment,
  autotunes: makeAutotune,
};
const pairs = Object.keys(makers).flatMap((one) =>
  Object.keys(makers).flatMap((other): [string, string][] => (one === other ? [] : [[one, other]])),
);

/** Returns the body that creates an entity with an ID. */
const bodyFor = async (path: string, id: string) => {
  const { name, variants, successEvent, explorationWindow, attributionWindow, winnerThreshold } =
    await makers.autotunes();
  const autotune = {
    name,
    variants,
    successEvent,
    explorationWindow,
    attributionWindow,
    winnerThreshold,
  };
  return { ...(path === 'autotunes' ? autotune : {}), name: unique('Namesake'), id };
};

describe('IDs that SDKs look up in one list', () => {
  test.each(pairs)('an ID of %s is 409 for a new entity of %s', async (one, other) => {
    const make = Object.entries(makers).find(([path]) => path === one)?.[1] ?? makeGate;
    const { id } = await make();
    const body = await bodyFor(other, id);
    const refused = await call('POST', other, { body });
    expect([refused.status, refused.body.type, refused.body.message]).toEqual([
      409,
      '/problems/taken',
      'Name is already in use',
    ]);
    await ok('DELETE', `${one}/${id}`);
    expect((await call('POST', other, { body })).status).toBe(201);
    const restored = await call('PUT', `${one}/${id}/versions/1/restore`);
    expect(restored.status).toBe(409);
  });

  test('entities that shared an ID before this check can still be changed', async () => {
    const [experiment, config] = [await makers.experiments(), await makers.dynamic_configs()];
    await env.DB.prepare('update dynamic_configs set id = ? where id = ?')
      .bind(experiment.id, config.id)
      .run();
    const path = `experiments/${experiment.id}`;
    expect(await ok('PATCH', path, { description: 'Still.' })).toMatchObject({ version: 2 });
  });

  test('many changes that create a config and an experiment with one ID are 409, unlike a gate', async () => {
    const id = 'one_of_many';
    const creation = (path: string) => ({
      method: 'POST',
      path: `${base}/${path}`,
      body: { name: unique('Of many'), id },
    });
    const changes = [creation('gates'), creation('dynamic_configs'), creation('experiments')];
    const refused = await call('POST', 'changes', { body: { changes } });
    expect([refused.status, refused.body.index]).toEqual([409, 2]);
    await ok('POST', 'changes', { changes: changes.slice(0, 2) });
  });

  test('a 409 for a shared ID contains the index of the change that took it', async () => {
    const { id } = await makeExperiment();
    const body = { name: unique('Namesake'), id };
    const changes = [
      { method: 'POST', path: `${base}/dynamic_configs`, body },
      { method: 'PATCH', path: `${base}/dynamic_configs/${id}`, body: { description: 'Made.' } },
      { method: 'POST', path: `${base}/gates`, body },
    ];
    const refused = await call('POST', 'changes', { body: { changes } });
    expect([refused.status, refused.body.type, refused.body.index]).toEqual([
      409,
      '/problems/taken',
      0,
    ]);
  });
});

describe('an imported salt', () => {
  test('an imported salt decides who passes a gate, and stays when rules are edited', async () => {
    const rules = [{ name: 'Half', passPercentage: 50, conditions: everyone, salt: 'their rule' }];
    const gate = await makeGate({ salt: 'their gate', rules });
    expect(gate).toMatchObject({ salt: 'their gate', rules: [{ salt: 'their rule' }] });
    const copy = await makeGate({ salt: 'their gate', rules });
    const other = await makeGate({ rules });
    const passing = async (id: string) => {
      const users = Array.from({ length: 40 }, (_, index) => `u-${index}`);
      const answers = await Promise.all(
        users.map((targetingKey) => evaluateFlag(id, { targetingKey })),
      );
      return answers.map(({ value }) => value);
    };
    expect(await passing(copy.id)).toEqual(await passing(gate.id));
    expect(await passing(other.id)).not.toEqual(await passing(gate.id));
    const edited = [{ name: 'Half', passPercentage: 60, conditions: everyone }];
    expect(await ok('PATCH', `gates/${gate.id}`, { rules: edited })).toMatchObject({
      salt: 'their gate',
      rules: [{ salt: 'their rule', passPercentage: 60 }],
    });
  });

  test('an imported salt decides the group of an experiment until its reset', async () => {
    const { id, salt } = await makeExperiment({ salt: 'their experiment' });
    expect(salt).toBe('their experiment');
    await ok('PUT', `experiments/${id}/start`);
    const locked = await call('PATCH', `experiments/${id}`, { body: { salt: 'another' } });
    expect(locked.status).toBe(409);
    const { data } = await call('POST', 'evaluate', {
      body: { user: { userID: 'u' }, kind: 'experiment', id },
    });
    expect(data.traces[0].ruleID).toEqual(expect.any(String));
    const restarted = await ok('POST', `experiments/${id}/restart_as_new`, {
      name: unique('Restarted'),
    });
    expect(restarted.salt).toBeNull();
    expect(await ok('PUT', `experiments/${id}/reset`)).toMatchObject({ salt: null });
  });
});
