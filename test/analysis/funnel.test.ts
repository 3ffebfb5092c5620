import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chainsOf, type FunnelEvent } from '../../src/analysis/day/funnel.ts';
import type { FunnelPlan } from '../../src/analysis/plan/plan.ts';

type Options = Pick<FunnelPlan, 'within' | 'startsAtExposure' | 'isOrdered' | 'allowance'>;

const planOf = (count: number, counts: FunnelPlan['counts'], options: Options) => ({
  ...options,
  ...{ counts, steps: { length: count } },
});

const matches = ([bits]: FunnelEvent, step: number) => ((bits >> step) & 1) === 1;

/** Follows a chain from one start by looking at every event for every step. */
function slowChain(
  events: FunnelEvent[],
  count: number,
  start: number,
  options: Options,
): number[] {
  const { within, isOrdered, allowance } = options;
  const window = within ?? Number.POSITIVE_INFINITY;
  const startTime = events[start]?.[1] ?? 0;
  const times = [startTime];
  const used = [start];
  for (let step = 1; step < count; step++) {
    const last = times.at(-1) ?? 0;
    const place = events.findIndex(
      (event, at) =>
        matches(event, step) &&
        !used.includes(at) &&
        event[1] <= startTime + window &&
        (isOrdered
          ? at > (used.at(-1) ?? -1) || (allowance > 0 && event[1] >= last - allowance)
          : event[1] >= startTime - window),
    );
    if (place < 0) break;
    used.push(place);
    times.push(events[place]?.[1] ?? 0);
  }
  return times;
}

function slowUsers(events: FunnelEvent[], count: number, options: Options) {
  const firsts = events.flatMap((event, at) => (matches(event, 0) ? [at] : []));
  const starts = options.startsAtExposure ? [-1] : firsts;
  const tried = options.within === null ? starts.slice(0, 1) : starts;
  const chains = tried.map((start) => slowChain(events, count, start, options));
  const longest = Math.max(0, ...chains.map((chain) => chain.length));
  const best = chains.find((chain) => chain.length === longest) ?? [];
  return {
    reached: Array.from({ length: count }, (_, step) => Number(step < longest)),
    duration: longest === count ? Math.max(...best) - (best[0] ?? 0) : undefined,
  };
}

function slowEvents(events: FunnelEvent[], count: number, { within, startsAtExposure }: Options) {
  const open: number[][] = Array.from({ length: count }, () => []);
  const reached = Array.from({ length: count }, () => 0);
  let duration: number | undefined;
  const enter = (step: number, start: number) => {
    open[step]?.push(start);
    reached[step] = (reached[step] ?? 0) + 1;
  };
  const leave = (step: number, time: number): number | undefined => {
    const starts = open[step] ?? [];
    const at = starts.findIndex((start) => within === null || time <= start + within);
    return at < 0 ? undefined : starts.splice(at, 1)[0];
  };
  if (startsAtExposure) enter(0, 0);
  const take = (step: number, time: number) => {
    const start = step === 0 ? time : leave(step - 1, time);
    if (start === undefined) return;
    enter(step, start);
    if (step > 0 && step === count - 1) duration ??= time - start;
  };
  const downward = Array.from({ length: count }, (_, index) => count - 1 - index);
  const steps = startsAtExposure ? downward.slice(0, -1) : downward;
  for (const event of events)
    for (const step of steps) if (matches(event, step)) take(step, event[1]);
  return { reached, duration };
}

const funnels = fc.integer({ min: 1, max: 5 }).chain((count) =>
  fc.record({
    count: fc.constant(count),
    events: fc
      .array(fc.tuple(fc.nat(2 ** count - 1), fc.integer({ min: -20, max: 60 })), { maxLength: 40 })
      .map((pairs): FunnelEvent[] =>
        pairs.map(([bits, time]): FunnelEvent => [bits, time, null]).sort((a, b) => a[1] - b[1]),
      ),
    options: fc.record({
      within: fc.option(fc.nat(30)),
      startsAtExposure: fc.boolean(),
      isOrdered: fc.boolean(),
      allowance: fc.nat(10),
    }),
  }),
);

describe('a funnel', () => {
  test('of users has the chains that a search from each first step finds', () => {
    fc.assert(
      fc.property(funnels, ({ count, events, options }) => {
        expect(chainsOf(events, planOf(count, 'users', options))).toEqual(
          slowUsers(events, count, options),
        );
      }),
      { seed: 7, numRuns: 5000 },
    );
  });

  test('of events has the chains that a search through all open ones finds', () => {
    fc.assert(
      fc.property(funnels, ({ count, events, options }) => {
        expect(chainsOf(events, planOf(count, 'events', options))).toEqual(
          slowEvents(events, count, options),
        );
      }),
      { seed: 7, numRuns: 5000 },
    );
  });

  test.each([
    ['users in order', 'users', true, 0],
    ['users in any order', 'users', false, 0],
    ['users with an allowance', 'users', true, 500],
    ['events', 'events', true, 0],
  ] as const)(
    'of %s reads each of 10,000 events of a unit some hundred times',
    (_, counts, isOrdered, allowance) => {
      const length = 10_000;
      // No event passes the last step, so that no start ends the search.
      const events = Array.from({ length }, (_, at): FunnelEvent => [at % 2 ? 1 : 3, at, null]);
      let reads = 0;
      const counted = new Proxy(events, {
        get(target, key, receiver) {
          if (typeof key === 'string' && /^\d/.test(key)) reads++;
          return Reflect.get(target, key, receiver);
        },
      });
      const options = { within: 5_000, startsAtExposure: false, isOrdered, allowance };
      chainsOf(counted, planOf(3, counts, options));
      expect(reads).toBeLessThan(200 * length);
    },
  );
});
