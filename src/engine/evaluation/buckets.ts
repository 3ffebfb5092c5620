import { memoizeText } from '../../base/memoize.ts';
import { hexHash } from './hash.ts';

export const bucketCount = 1000;

const allBuckets = Array.from({ length: bucketCount }, (_, bucket) => bucket);

/** An order takes 1,000 hashes and 4 kB. */
const maxOrders = 1000;

/** Returns all buckets in pseudo-random order of an experiment, so that a larger allocation only adds buckets. */
export const bucketOrder = memoizeText(maxOrders, (id): readonly number[] => {
  const keyed = allBuckets.map((bucket) => ({ bucket, key: hexHash(`${id}.${bucket}`) }));
  return keyed.sort((a, b) => (a.key < b.key ? -1 : 1)).map(({ bucket }) => bucket);
});

interface Size {
  /** Percent of all buckets. */
  readonly allocation: number;
  /** Exactly these buckets, unless empty. */
  readonly userBuckets?: readonly number[] | undefined;
}

export interface BucketRequest extends Size {
  readonly id: string;
}

interface Allocation {
  readonly buckets: number[];
  /** Requested bucket numbers that other experiments hold. */
  readonly conflicts: number[];
  readonly lacking: number;
}

const ascending = (buckets: Iterable<number>) => [...buckets].sort((a, b) => a - b);

const requestedBuckets = ({ userBuckets = [] }: Size) =>
  new Set(userBuckets.filter(Number.isInteger));

const hasUserBuckets = ({ userBuckets = [] }: Size) => userBuckets.length > 0;

const bucketsOfAllocation = ({ allocation }: Size) => Math.round((bucketCount / 100) * allocation);

/** Whether buckets, without duplicates, are what an experiment needs. */
export function fulfills(request: Size, buckets: readonly number[]): boolean {
  const [distinct, requested] = [new Set(buckets), requestedBuckets(request)];
  if (distinct.size < buckets.length) return false;
  if (!hasUserBuckets(request)) return distinct.size === bucketsOfAllocation(request);
  return distinct.size === requested.size && buckets.every((bucket) => requested.has(bucket));
}

/** Allocates buckets. `current` is kept, so that no unit changes its group; `held` are those of other experiments. */
export function allocate(
  request: BucketRequest,
  current: readonly number[],
  held: ReadonlySet<number>,
): Allocation {
  if (hasUserBuckets(request)) {
    const wanted = requestedBuckets(request);
    const buckets = ascending(wanted).filter((bucket) => !held.has(bucket));
    const conflicts = ascending(wanted).filter((bucket) => held.has(bucket));
    return { buckets, conflicts, lacking: conflicts.length };
  }
  const wanted = bucketsOfAllocation(request);
  const order = wanted === bucketCount ? allBuckets : bucketOrder(request.id);
  const own = new Set(current);
  const free = order.filter((bucket) => !own.has(bucket) && !held.has(bucket));
  const kept = order.filter((bucket) => own.has(bucket));
  const buckets = [...kept, ...free].slice(0, wanted);
  return { buckets: ascending(buckets), conflicts: [], lacking: wanted - buckets.length };
}
