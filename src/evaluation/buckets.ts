import { remembering } from '../shared/made_once.ts';
import { hexHash } from './hash.ts';

/** Units are spread over this many buckets, of which an experiment takes some. */
export const bucketCount = 1000;

const allBuckets = Array.from({ length: bucketCount }, (_, bucket) => bucket);

/**
 * How many orders are remembered: one takes a thousand hashes, and those of experiments that are tried are asked for at
 * each change of anything. Each takes 4 kB.
 */
const mostOrders = 1000;

/**
 * All buckets in the order in which an experiment takes them: by the SHA-256 of its id and the bucket. It is
 * pseudo-random, because equal ranges in a row would hand the users of one experiment to the next; and it is one
 * order, so that a larger allocation only adds.
 */
export const bucketOrder = remembering(mostOrders, (id): readonly number[] => {
  const keyed = allBuckets.map((bucket) => ({ bucket, key: hexHash(`${id}.${bucket}`) }));
  return keyed.sort((a, b) => (a.key < b.key ? -1 : 1)).map(({ bucket }) => bucket);
});

/** How many of the buckets an experiment wants, or which. */
interface Size {
  /** Percent of all buckets. */
  readonly allocation: number;
  /** Where not empty: these buckets exactly. */
  readonly userBuckets?: readonly number[] | undefined;
}

/** What an experiment wants of the buckets. */
export interface Wish extends Size {
  readonly id: string;
}

interface Allocation {
  /** In ascending order. */
  readonly buckets: number[];
  /** What it may not have: buckets asked for by number that others hold. */
  readonly conflicts: number[];
  /** How many buckets it lacks. */
  readonly lacking: number;
}

const ascending = (buckets: Iterable<number>) => [...buckets].sort((a, b) => a - b);

/** The buckets that are asked for by number; another number names none. */
const askedFor = ({ userBuckets = [] }: Size) => new Set(userBuckets.filter(Number.isInteger));

const isByNumber = ({ userBuckets = [] }: Size) => userBuckets.length > 0;

const sizeOf = ({ allocation }: Size) => Math.round((bucketCount / 100) * allocation);

/** Whether some buckets, each of them once, are what the wish comes to. */
export function fulfils(wish: Size, buckets: readonly number[]): boolean {
  const [distinct, asked] = [new Set(buckets), askedFor(wish)];
  if (distinct.size < buckets.length) return false;
  if (!isByNumber(wish)) return distinct.size === sizeOf(wish);
  return distinct.size === asked.size && buckets.every((bucket) => asked.has(bucket));
}

/**
 * The buckets of an experiment that starts, or whose allocation changes while it runs. It keeps the ones it has, so
 * that nobody moves while it runs, even where others have left buckets that come before them in its order.
 * @param current the buckets it has; none before its start
 * @param held the buckets of the other active experiments of its layer; none outside a layer
 */
export function allocate(
  wish: Wish,
  current: readonly number[],
  held: ReadonlySet<number>,
): Allocation {
  if (isByNumber(wish)) {
    const wanted = askedFor(wish);
    const buckets = ascending(wanted).filter((bucket) => !held.has(bucket));
    const conflicts = ascending(wanted).filter((bucket) => held.has(bucket));
    return { buckets, conflicts, lacking: conflicts.length };
  }
  const wanted = sizeOf(wish);
  const order = wanted === bucketCount ? allBuckets : bucketOrder(wish.id);
  const own = new Set(current);
  const free = order.filter((bucket) => !own.has(bucket) && !held.has(bucket));
  const kept = order.filter((bucket) => own.has(bucket));
  const buckets = [...kept, ...free].slice(0, wanted);
  return { buckets: ascending(buckets), conflicts: [], lacking: wanted - buckets.length };
}
