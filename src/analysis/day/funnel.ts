import { sumOf } from '../../base/numbers.ts';
import type { FunnelPlan } from '../plan/plan.ts';

/** An event of a unit: the steps that it matches as bits, its time since the exposure, and its session. */
export type FunnelEvent = [matches: number, time: number, session: string | null];

interface Chains {
  reached: number[];
  duration: number | undefined;
}

type Options = Pick<FunnelPlan, 'within' | 'startsAtExposure' | 'isOrdered' | 'allowance'>;

const matchesStep = ([matches]: FunnelEvent, step: number): boolean =>
  Math.floor(matches / 2 ** step) % 2 === 1;

function chainFrom(
  steps: readonly FunnelEvent[],
  count: number,
  start: { place: number; time: number },
  { within, isOrdered, allowance }: Options,
): number[] {
  const times = [start.time];
  const used = new Set([start.place]);
  const latest = within === null ? Number.POSITIVE_INFINITY : start.time + within;
  let last = start;
  for (let step = 1; step < count; step++) {
    const place = steps.findIndex((event, at) => {
      if (used.has(at) || !matchesStep(event, step) || event[1] > latest) return false;
      if (!isOrdered) return event[1] >= start.time - (within ?? Number.POSITIVE_INFINITY);
      return at > last.place || (allowance > 0 && event[1] >= last.time - allowance);
    });
    const event = steps[place];
    if (!event) break;
    used.add(place);
    last = { place, time: event[1] };
    times.push(event[1]);
  }
  return times;
}

function furthest(steps: readonly FunnelEvent[], count: number, options: Options): Chains {
  const starts = options.startsAtExposure
    ? [{ place: -1, time: 0 }]
    : steps.flatMap((event, place) => (matchesStep(event, 0) ? [{ place, time: event[1] }] : []));
  let best: number[] = [];
  for (const start of options.within === null ? starts.slice(0, 1) : starts) {
    const times = chainFrom(steps, count, start, options);
    if (times.length > best.length) best = times;
    if (best.length === count) break;
  }
  return {
    reached: Array.from({ length: count }, (_, step) => (step < best.length ? 1 : 0)),
    duration: best.length === count ? Math.max(...best) - (best[0] ?? 0) : undefined,
  };
}

function allChains(steps: readonly FunnelEvent[], count: number, options: Options): Chains {
  const { within, startsAtExposure } = options;
  const waiting: number[][] = Array.from({ length: count }, () => []);
  const reached = Array.from({ length: count }, () => 0);
  let duration: number | undefined;
  const enter = (step: number, start: number) => {
    waiting[step]?.push(start);
    reached[step] = (reached[step] ?? 0) + 1;
  };
  const proceed = (step: number, time: number) => {
    const before = waiting[step - 1] ?? [];
    const open = before.findIndex((start) => within === null || time <= start + within);
    if (open < 0) return;
    const [start = 0] = before.splice(open, 1);
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

/** Returns the chains of a unit, counted as users, events or sessions. */
export function chainsOf(steps: readonly FunnelEvent[], plan: FunnelPlan): Chains {
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
