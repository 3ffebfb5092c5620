import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { pick, randomFrom } from '../evaluation/support/random.ts';
import { callApp } from '../support/apps.ts';
import { call, ok } from '../support/client.ts';
import { makeExperiment, makeLayer } from '../support/factories.ts';

interface Named {
  name: string;
  rules: { id: string; configDelegate?: string; conditions: { targetValue: number[] }[] }[];
}

/** The buckets of each experiment of a layer, from the compiled spec. */
async function served(layerID: string): Promise<Map<string, number[]>> {
  const path = '/v1/download_config_specs';
  const { body } = await callApp(path, { method: 'GET' });
  const layer = body.layer_configs.find(({ name }: Named) => name === layerID);
  const assigning = layer.rules.filter(({ id }: { id: string }) => id === 'experimentAssignment');
  return new Map(
    assigning.map(({ configDelegate, conditions }: Named['rules'][number]) => [
      configDelegate,
      conditions[0]?.targetValue,
    ]),
  );
}

const stop = { decisionReason: 'Done.' };

/** A random step: an experiment starts, grows, shrinks or stops, if the layer has room. */
async function step(random: () => number, id: string, isRunning: boolean): Promise<void> {
  if (isRunning && random() < 0.3) {
    await ok('PUT', `experiments/${id}/stop`, stop);
    await ok('PUT', `experiments/${id}/reset`);
    return;
  }
  const allocation = Math.round(random() * 600) / 10;
  const changed = await call('PATCH', `experiments/${id}`, { body: { allocation } });
  if (!isRunning && changed.status === 200) await call('PUT', `experiments/${id}/start`);
}

const isWithin = (some: number[], all: number[]) => some.every((bucket) => all.includes(bucket));

/** Asserts that buckets do not overlap, and that a step changes only its own experiment. */
function expectInOrder(
  before: Map<string, number[]>,
  after: Map<string, number[]>,
  changed: string,
  message: string,
): void {
  const all = [...after.values()].flat();
  expect(new Set(all).size, message).toBe(all.length);
  for (const [running, buckets] of after) {
    const old = before.get(running) ?? buckets;
    expect(isWithin(old, buckets) || isWithin(buckets, old), message).toBe(true);
    if (running !== changed) expect(buckets, message).toEqual(before.get(running));
  }
}

describe('the buckets of experiments on a layer', () => {
  test('never overlap, and no unit moves while an experiment runs, over random steps', async () => {
    const seed = Number(env.SEED);
    const random = randomFrom(seed);
    for (let sequence = 0; sequence < 20; sequence++) {
      const { id: layerID } = await makeLayer();
      const made = await Promise.all([1, 2, 3].map(() => makeExperiment({ layerID })));
      let before = await served(layerID);
      for (let count = 0; count < 8; count++) {
        const { id } = pick(random, made);
        await step(random, id, before.has(id));
        const after = await served(layerID);
        expectInOrder(before, after, id, `seed ${seed}`);
        before = after;
      }
    }
  });

  test('are refused to a second experiment that requests them by number', async () => {
    const { id: layerID } = await makeLayer();
    const [first, second] = [
      await makeExperiment({ layerID, userBuckets: [1, 2, 3] }),
      await makeExperiment({ layerID, userBuckets: [3, 4] }),
    ];
    await ok('PUT', `experiments/${first.id}/start`);
    const refused = await call('PUT', `experiments/${second.id}/start`);
    expect([refused.status, refused.body.message]).toEqual([
      409,
      expect.stringContaining(first.id),
    ]);
    await ok('PUT', `experiments/${first.id}/stop`, stop);
    await ok('PUT', `experiments/${second.id}/start`);
    expect(await served(layerID)).toEqual(new Map([[second.id, [3, 4]]]));
  });

  test('are those of a restored version if they are free', async () => {
    const { id: layerID } = await makeLayer();
    const [first, second] = [
      await makeExperiment({ layerID, allocation: 50 }),
      await makeExperiment({ layerID, allocation: 30 }),
    ];
    await ok('PUT', `experiments/${first.id}/start`);
    const own = (await served(layerID)).get(first.id) ?? [];
    await ok('PUT', `experiments/${first.id}/reset`);
    await ok('PUT', `experiments/${second.id}/start`);
    const others = (await served(layerID)).get(second.id) ?? [];
    await ok('PUT', `experiments/${first.id}/versions/2/restore`);
    const after = (await served(layerID)).get(first.id) ?? [];
    expect(after).toHaveLength(500);
    expect(after.filter((bucket) => others.includes(bucket))).toEqual([]);
    expect(
      isWithin(
        own.filter((bucket) => !others.includes(bucket)),
        after,
      ),
    ).toBe(true);
  });

  test('are those of a restored version even if a start would choose others', async () => {
    const { id: layerID } = await makeLayer();
    const { id: beside } = await makeExperiment({ layerID, allocation: 40 });
    const { id } = await makeExperiment({ layerID, allocation: 50 });
    for (const each of [beside, id]) await ok('PUT', `experiments/${each}/start`);
    const own = (await served(layerID)).get(id);
    await ok('PUT', `experiments/${beside}/stop`, stop);
    await ok('PUT', `experiments/${id}/reset`);
    await ok('PUT', `experiments/${id}/versions/2/restore`);
    expect((await served(layerID)).get(id)).toEqual(own);
  });

  test('stay if an earlier version with the same allocation is restored during the run', async () => {
    const { id: layerID } = await makeLayer();
    const [first, second] = [
      await makeExperiment({ layerID, allocation: 50 }),
      await makeExperiment({ layerID, allocation: 40 }),
    ];
    await ok('PUT', `experiments/${first.id}/start`);
    await ok('PUT', `experiments/${second.id}/start`);
    const earlier = (await served(layerID)).get(second.id);
    await ok('PUT', `experiments/${first.id}/stop`, stop);
    await ok('PATCH', `experiments/${second.id}`, { allocation: 100 });
    await ok('PATCH', `experiments/${second.id}`, { allocation: 40 });
    const own = (await served(layerID)).get(second.id);
    expect(own).not.toEqual(earlier);
    await ok('PUT', `experiments/${second.id}/versions/2/restore`);
    expect((await served(layerID)).get(second.id)).toEqual(own);
  });

  test('are not in responses, and are freed when the run ends', async () => {
    const { id } = await makeExperiment({ allocation: 10 });
    const started = await ok('PUT', `experiments/${id}/start`);
    expect(started).not.toHaveProperty('allocatedBuckets');
    const stored = async () => {
      const row = await env.DB.prepare('select settings from experiments where id = ?')
        .bind(id)
        .first();
      return JSON.parse(String(row?.settings)).allocatedBuckets?.length;
    };
    expect(await stored()).toBe(100);
    const again = await ok('POST', `experiments/${id}/restart_as_new`, { name: 'Another run' });
    expect(again.status).toBe('setup');
    await ok('PUT', `experiments/${id}/stop`, stop);
    expect(await stored()).toBeUndefined();
  });
});
