import { sumOf } from '../../base/numbers.ts';
import type { FunnelPlan } from '../plan/plan.ts';

/** An event of a unit: the steps that it matches as bits, its time since the exposure, and its session. */
export type FunnelEvent = [matches: number, time: number, session: string | null];

interface Chains {
  reached: number[];
  duration: number | undefined;
}

type FunnelOptions = Pick<FunnelPlan, 'within' | 'startsAtExposure' | 'isOrdered' | 'allowance'>;

type CountedFunnel = FunnelOptions & Pick<FunnelPlan, 'counts'> & { steps: { length: number } };

const matchesStep = ([matches]: FunnelEvent, step: number): boolean =>
  Math.floor(matches / 2 ** step) % 2 === 1;

/** The events of a unit by time, with tables that answer each question of a chain in one step. */
interface Sequence {
  times: Float64Array;
  /** For each step and place, the first place at or after it whose event matches the step; the length if none. */
  next: Int32Array[];
  /** For each place, the first place at which the event after it in a chain may be. */
  earliest: Int32Array;
}

/** Returns for each place the first place that is at most so long before it. */
function placesWithin(times: Float64Array, duration: number): Int32Array {
  let first = 0;
  return Int32Array.from(times, (time) => {
    while ((times[first] ?? time) < time - duration) first++;
    return first;
  });
}

function nextPlaces(steps: readonly FunnelEvent[], step: number): Int32Array {
  const next = new Int32Array(steps.length + 1).fill(steps.length);
  for (let place = steps.length - 1; place >= 0; place--) {
    const event = steps[place];
    next[place] = event && matchesStep(event, step) ? place : (next[place + 1] ?? steps.length);
  }
  return next;
}

function sequenceOf(
  steps: readonly FunnelEvent[],
  count: number,
  options: FunnelOptions,
): Sequence {
  const { within, isOrdered, allowance } = options;
  const times = Float64Array.from(steps, ([, time]) => time);
  const isAfter = isOrdered && allowance === 0;
  return {
    times,
    next: Array.from({ length: count }, (_, step) => nextPlaces(steps, step)),
    earliest: isAfter
      ? Int32Array.from(times, (_, place) => place + 1)
      : placesWithin(times, isOrdered ? allowance : (within ?? Number.POSITIVE_INFINITY)),
  };
}

/** Returns the place before which no event may follow an exposure. */
const firstAfterExposure = ({ times }: Sequence, { within, isOrdered }: FunnelOptions): number =>
  isOrdered || within === null ? 0 : times.findIndex((time) => time >= -within);

function chainFrom(sequence: Sequence, start: number, options: FunnelOptions): number[] {
  const { times, next, earliest } = sequence;
  const startTime = times[start] ?? 0;
  const latest = startTime + (options.within ?? Number.POSITIVE_INFINITY);
  const chain = [startTime];
  const used = [start];
  let from = earliest[start] ?? firstAfterExposure(sequence, options);
  for (const places of next.slice(1)) {
    let place = places[from];
    while (place !== undefined && used.includes(place)) place = places[place + 1];
    const time = times[place ?? -1];
    if (place === undefined || time === undefined || time > latest) break;
    used.push(place);
    chain.push(time);
    if (options.isOrdered) from = earliest[place] ?? times.length;
  }
  return chain;
}

function furthest(steps: readonly FunnelEvent[], count: number, options: FunnelOptions): Chains {
  const sequence = sequenceOf(steps, count, options);
  const starts = options.startsAtExposure
    ? [-1]
    : steps.flatMap((event, place) => (matchesStep(event, 0) ? [place] : []));
  let best: number[] = [];
  for (const start of options.within === null ? starts.slice(0, 1) : starts) {
    const times = chainFrom(sequence, start, options);
    if (times.length > best.length) best = times;
    if (best.length === count) break;
  }
  return {
    reached: Array.from({ length: count }, (_, step) => (step < best.length ? 1 : 0)),
    duration: best.length === count ? Math.max(...best) - (best[0] ?? 0) : undefined,
  };
}

/** The starts of chains that wait for a step, in order of time. Starts before `first` passed the step or are too old. */
interface Waiting {
  starts: number[];
  first: number;
}

function allChains(steps: readonly FunnelEvent[], count: number, options: FunnelOptions): Chains {
  const { within, startsAtExposure } = options;
  const waiting: Waiting[] = Array.from({ length: count }, () => ({ starts: [], first: 0 }));
  const reached = Array.from({ length: count }, () => 0);
  let duration: number | undefined;
  const enter = (step: number, start: number) => {
    waiting[step]?.starts.push(start);
    reached[step] = (reached[step] ?? 0) + 1;
  };
  const proceed = (step: number, time: number) => {
    const before = waiting[step - 1];
    if (!before) return;
    const window = within ?? Number.POSITIVE_INFINITY;
    while ((before.starts[before.first] ?? time) + window < time) before.first++;
    const start = before.starts[before.first];
    if (start === undefined) return;
    before.first++;
    enter(step, start);
    if (step === count - 1) duration ??= time - start;
  };
  if (startsAtExposure) enter(0, 0);
  // From the last step, so that one event does not pass through two.
  const later = Array.from({ length: count - 1 }, (_, index) => count - 1 - index);
  for (const event of steps) {
    for (const step of later) if (matchesStep(event, step)) proceed(step, event[1]);
    if (!startsAtExposure && matchesStep(event, 0)) enter(0, event[1]);
  }
  return { reached, duration };
}

/** Returns the chains of a unit with its events by time, counted as users, events or sessions, in linear time. */
export function chainsOf(steps: readonly FunnelEvent[], plan: CountedFunnel): Chains {
  const count = plan.steps.length;
  if (plan.counts === 'users') return furthest(steps, count, plan);
  if (plan.counts === 'events') return allChains(steps, count, plan);
  const bySession = Map.groupBy(
    steps.filter(([, , session]) => session !== null),
    ([, , session]) => session,
  );
  const sessions = [...bySession.values()].map((own) => furthest(own, count, plan));
  return {
    reached: Array.from({ length: count }, (_, step) =>
      sumOf(sessions.map(({ reached }) => reached[step] ?? 0)),
    ),
    duration: sessions.find(({ duration }) => duration !== undefined)?.duration,
  };
}
