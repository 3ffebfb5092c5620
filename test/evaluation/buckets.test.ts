import { describe, expect, test } from 'vitest';
import {
  allocate,
  type BucketRequest,
  bucketCount,
  bucketOrder,
} from '../../src/engine/evaluation/buckets.ts';
import { pick, randomFrom } from './support/random.ts';

const nobody = new Set<number>();

describe('the buckets of an experiment', () => {
  test('have a different order for each experiment', () => {
    expect(bucketOrder('checkout_button').slice(0, 8)).toEqual([
      543, 933, 316, 729, 170, 77, 329, 837,
    ]);
    expect(new Set(bucketOrder('checkout_button')).size).toBe(bucketCount);
  });

  test.each([
    [0, 0],
    [0.04, 0],
    [0.05, 1],
    [12.34, 123],
    [33.3, 333],
    [99.99, 1000],
    [100, 1000],
  ])('of %i percent are %i', (allocation, count) => {
    const { buckets, lacking } = allocate({ id: 'a_b', allocation }, [], nobody);
    expect(buckets).toEqual(
      bucketOrder('a_b')
        .slice(0, count)
        .sort((a, b) => a - b),
    );
    expect(lacking).toBe(0);
  });

  test('are the requested numbers, regardless of its allocation', () => {
    const wish = { id: 'a_b', allocation: 10, userBuckets: [7, 3, 7, 999, 0.5] };
    expect(allocate(wish, [], nobody)).toEqual({ buckets: [3, 7, 999], conflicts: [], lacking: 0 });
    const none = { buckets: [], conflicts: [], lacking: 0 };
    expect(allocate({ ...wish, userBuckets: [0.5] }, [], nobody)).toEqual(none);
    expect(allocate({ ...wish, userBuckets: [] }, [], nobody).buckets).toHaveLength(100);
  });

  test('exclude the buckets of other experiments', () => {
    const held = new Set(bucketOrder('a_b').slice(0, 950));
    const wish = { id: 'a_b', allocation: 10 };
    const { buckets, lacking } = allocate(wish, [], held);
    expect(lacking).toBe(50);
    expect(buckets).toHaveLength(50);
    expect(buckets.filter((bucket) => held.has(bucket))).toEqual([]);
    const [first = 0] = held;
    const asked = allocate({ ...wish, userBuckets: [first] }, [], held);
    expect(asked).toEqual({ buckets: [], conflicts: [first], lacking: 1 });
  });
});

interface Member {
  wish: BucketRequest;
  buckets: number[];
}

type Layer = Map<string, Member>;

const heldBeside = (layer: Layer, id: string) =>
  new Set([...layer].filter(([other]) => other !== id).flatMap(([, { buckets }]) => buckets));

/** Starts an experiment or changes its allocation, if the layer has room. */
function change(layer: Layer, wish: BucketRequest): void {
  const before = layer.get(wish.id)?.buckets ?? [];
  const { buckets, lacking } = allocate(wish, before, heldBeside(layer, wish.id));
  if (lacking > 0) return; // the change would be rejected
  const wanted = Math.round(10 * wish.allocation);
  expect(buckets).toHaveLength(wanted);
  expect(new Set(buckets).size).toBe(wanted);
  const isGrowth = buckets.length >= before.length;
  const [smaller, larger] = isGrowth ? [before, buckets] : [buckets, before];
  const kept = new Set(larger);
  expect(smaller.filter((bucket) => !kept.has(bucket))).toEqual([]); // no unit moves
  layer.set(wish.id, { wish, buckets });
}

function expectNoOverlap(layer: Layer): void {
  const all = [...layer.values()].flatMap(({ buckets }) => buckets);
  expect(new Set(all).size).toBe(all.length);
  expect(all.filter((bucket) => bucket < 0 || bucket >= bucketCount)).toEqual([]);
}

test('200 random sequences of start, grow, shrink and stop never make buckets overlap or units move', () => {
  const ids = ['exp_a', 'exp_b', 'exp_c', 'exp_d', 'exp_e'];
  for (let seed = 0; seed < 200; seed++) {
    const random = randomFrom(seed);
    const layer: Layer = new Map();
    for (let step = 0; step < 6; step++) {
      const id = pick(random, ids);
      if (layer.has(id) && random() < 0.3) layer.delete(id);
      else change(layer, { id, allocation: Math.round(random() * 600) / 10 });
      expectNoOverlap(layer);
    }
  }
});

test('an experiment keeps its buckets when it grows after others have stopped', () => {
  const layer: Layer = new Map();
  change(layer, { id: 'exp_a', allocation: 60 });
  change(layer, { id: 'exp_b', allocation: 30 });
  const before = layer.get('exp_b')?.buckets ?? [];
  layer.delete('exp_a');
  change(layer, { id: 'exp_b', allocation: 31 });
  const after = layer.get('exp_b')?.buckets ?? [];
  expect(after.filter((bucket) => before.includes(bucket))).toEqual(before);
  expect(after).toHaveLength(310);
});
