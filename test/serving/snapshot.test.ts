import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { projectAt } from '../../drizzle/sample/index.js';
import { loadSnapshot, type Snapshot } from '../../src/delivery/serving/snapshot.ts';
import { revisionsAfter } from '../../src/delivery/serving/sources.ts';
import { unboundedScope } from '../../src/engine/evaluation/compile.ts';
import { openDatabase } from '../../src/platform/store/sql/database.ts';
import { ok } from '../support/client.ts';
import {
  everyone,
  makeExperiment,
  makeGate,
  makeHoldout,
  makeKey,
  makeLayer,
  makeStartedAutotune,
} from '../support/factories.ts';

/** The served data, in a canonical order. */
function known(snapshot: Snapshot) {
  const { gates, holdouts, segments, keys } = snapshot.collections;
  const { flags, ...project } = snapshot.project(unboundedScope);
  const beside = [
    ...flags,
    ...gates.entities.map(({ id, measureMetricLifts, ruleTimes }) => [
      id,
      measureMetricLifts,
      ruleTimes,
    ]),
    ...holdouts.entities.map(({ id, phaseTime }) => [id, phaseTime]),
    ...segments.entities.map(({ id, lastModifiedTime }) => [id, lastModifiedTime]),
    ...keys.entities.map(({ hash, type, scopes, isActive, expiresTime }) => [
      hash,
      type,
      scopes,
      isActive,
      expiresTime,
    ]),
  ];
  return { project, beside: beside.map((one) => JSON.stringify(one)).sort() };
}

/** Starts an experiment with one group, and returns a function that decides it. */
async function started(given: Record<string, unknown>) {
  const { id, groups } = await makeExperiment(given);
  await ok('PUT', `experiments/${id}/start`);
  const decision = { id: groups[0].id, decisionReason: 'Better.' };
  return { id, decide: () => ok('PUT', `experiments/${id}/make_decision`, decision) };
}

test('a project is equal whether it is loaded at once or updated by each revision', async () => {
  const db = openDatabase(env.DB, 'first-primary');
  const followed = await loadSnapshot(db);
  for (const [method, path, body] of projectAt(Date.now())) await ok(method, path, body);
  const rules = [{ ...everyone, passPercentage: 50 }];
  const gate = await makeGate({ salt: 'brought along', measureMetricLifts: true, rules });
  await ok('PATCH', `gates/${gate.id}`, { rules: [{ ...gate.rules[0], passPercentage: 60 }] });
  const holdout = await makeHoldout({ passPercentage: 5 });
  await ok('PATCH', `holdouts/${holdout.id}`, { passPercentage: 6 });
  await makeKey({ type: 'CLIENT', scopes: undefined, expiresTime: Date.now() + 60_000 });
  const archived = await started({});
  await archived.decide();
  await ok('PUT', `experiments/${archived.id}/archive`);
  const parameters = [{ name: 'p', type: 'number', defaultValue: 0 }];
  const { id: layerID } = await makeLayer({ parameters });
  const given = (p: number) => ({
    layerID,
    allocation: 40,
    groups: [{ name: 'All', size: 100, parameterValues: { p } }],
  });
  await makeHoldout({ layerIDs: [layerID], gateIDs: [gate.id] });
  await makeStartedAutotune();
  const [one, two] = [await started(given(1)), await started(given(2))];
  await two.decide();
  await one.decide();
  const [changes] = await db.read(revisionsAfter(followed.seq));
  followed.apply(changes);
  const reloaded = await loadSnapshot(db);
  expect(reloaded.seq).toBe(followed.seq);
  expect(known(reloaded)).toEqual(known(followed));
  followed.apply(changes.slice(0, -10)); // again, like two checks at the same time
  expect(known(reloaded)).toEqual(known(followed));
});

test('the compiled project of a key is reused when other keys are used in between', async () => {
  const snapshot = await loadSnapshot(openDatabase(env.DB, 'first-primary'));
  const projectOf = (targetAppID: string | null) =>
    snapshot.project({ environments: null, targetAppID });
  const first = projectOf(null);
  for (let app = 0; app < 30; app++) {
    projectOf(`app_${app}`);
    expect(projectOf(null)).toBe(first);
  }
});

test('only the last state of an entity is read after many changes', async () => {
  const db = openDatabase(env.DB, 'first-primary');
  const { id } = await makeGate();
  const gone = await makeGate();
  const { seq } = await loadSnapshot(db);
  for (const description of ['One.', 'Two.', 'Three.'])
    await ok('PATCH', `gates/${id}`, { description });
  await ok('DELETE', `gates/${gone.id}`);
  const [changes] = await db.read(revisionsAfter(seq));
  const states = changes.map(({ snapshot }) => snapshot && JSON.parse(snapshot));
  expect(states).toEqual([
    null,
    null,
    expect.objectContaining({ id, description: 'Three.' }),
    expect.objectContaining({ id: gone.id }),
  ]);
});
