import { describe, expect, test } from 'vitest';
import { call, ok } from '../support/client.ts';
import {
  everyone,
  makeExperiment,
  makeExperimentIn,
  makeGate,
  makeLayer,
} from '../support/factories.ts';

describe('a full update of a gate', () => {
  test('a full update of a gate resets missing fields except name, status and overrides', async () => {
    const gate = await makeGate({ isEnabled: false });
    const path = `gates/${gate.id}`;
    await ok('PATCH', path, {
      description: 'Old.',
      tags: ['old'],
      type: 'TEMPORARY',
      team: 'core',
      measureMetricLifts: true,
      reviewSettings: { requiredReview: true },
      rules: [everyone],
    });
    await ok('POST', `${path}/overrides`, { passingUserIDs: ['u-1'] });
    const replaced = await ok('POST', path, { idType: 'companyID' });
    const { version: _version, lastModifiedTime: _time, ...expected } = gate;
    expect(replaced).toMatchObject({ ...expected, idType: 'companyID' });
    expect(await ok('GET', `${path}/overrides`)).toMatchObject({ passingUserIDs: ['u-1'] });
    expect(await ok('POST', path, replaced)).toEqual(replaced);
  });
});

describe('a full update of a layer', () => {
  test('a full update of a layer resets missing fields except the name', async () => {
    const layer = await makeLayer();
    const path = `layers/${layer.id}`;
    const parameters = [{ name: 'green', type: 'boolean', defaultValue: false }];
    await ok('PATCH', path, { description: 'Old.', tags: ['old'], team: 'core', parameters });
    const replaced = await ok('POST', path, { idType: 'companyID' });
    const { version: _version, lastModifiedTime: _time, ...expected } = layer;
    expect(replaced).toMatchObject({ ...expected, idType: 'companyID' });
    expect(await ok('POST', path, replaced)).toEqual(replaced);
  });
});

describe('a full update of an experiment', () => {
  const settings = {
    description: 'Old.',
    tags: ['old'],
    allocation: 10,
    hypothesis: 'H',
    duration: 30,
    analyticsType: 'bayesian',
    links: [{ url: 'https://a.test' }],
    team: 'core',
    manualQualityScores: [{ criteriaName: 'HYPOTHESIS_LENGTH', weight: 10 }],
  };

  test('a full update of an experiment resets missing fields except name, groups and status', async () => {
    const experiment = await makeExperiment();
    const path = `experiments/${experiment.id}`;
    await ok('PATCH', path, { ...settings, idType: 'companyID', userBuckets: [1] });
    const replaced = await ok('POST', path, { allocation: 50 });
    const { version: _version, lastModifiedTime: _time, ...expected } = experiment;
    expect(replaced).toMatchObject({ ...expected, allocation: 50 });
    const { version } = await ok('POST', path, { allocation: 50 });
    expect(version).toBe(replaced.version);
  });

  test('a full update of a started experiment keeps locked fields and its decision', async () => {
    const { id } = await makeExperimentIn('setup');
    const path = `experiments/${id}`;
    await ok('PATCH', path, { ...settings, idType: 'companyID', userBuckets: [1] });
    await ok('PUT', `${path}/start`);
    expect(await ok('POST', path, { description: 'New.' })).toMatchObject({
      description: 'New.',
      tags: [],
      idType: 'companyID',
      userBuckets: [1],
      status: 'active',
    });
    const locked = await call('POST', path, { body: { idType: 'userID' } });
    expect([locked.status, locked.body.errors[0].property]).toEqual([409, 'idType']);
    const decision = { launchedGroupID: 'test', decisionReason: 'R' };
    await ok('PUT', `${path}/make_decision`, { id: 'test', decisionReason: 'R' });
    expect(await ok('POST', path, { tags: ['a'] })).toMatchObject(decision);
  });
});
