import { hourLength } from '../../base/time.ts';
import type { Check } from '../../data/exposures/table.ts';
import { checkedEntity, type ExposureEvent } from './exposure_events.ts';
import type { Snapshot } from './snapshot.ts';

const laterOf = (one?: number | null, other?: number | null): number | null =>
  Math.max(one ?? 0, other ?? 0) || null;

/** Adds the count of a check to that of the same entity and hour. */
export function addCheck(checks: Map<string, Check>, added: Check): void {
  const key = JSON.stringify([added.kind, added.id, added.hour]);
  const known = checks.get(key);
  checks.set(key, {
    ...added,
    count: (known?.count ?? 0) + added.count,
    lastTrue: laterOf(added.lastTrue, known?.lastTrue),
    lastFalse: laterOf(added.lastFalse, known?.lastFalse),
  });
}

/** Returns checks of one entity in the hour of `now`. */
export const checkOf = (
  entity: { kind: string; id: string },
  count: number,
  now: number,
  passes?: boolean,
): Check => ({
  ...entity,
  hour: Math.floor(now / hourLength),
  count,
  previous: 0,
  lastTrue: passes === true ? now : null,
  lastFalse: passes === false ? now : null,
});

/** Returns checks of the entities of exposure events, `count` for each event. */
export const checksBy = (
  exposureEvents: readonly ExposureEvent[],
  count: number,
  snapshot: Snapshot,
  now: number,
): Check[] =>
  exposureEvents.flatMap(({ list, id, passes }) => {
    const entity = checkedEntity(list, id, snapshot);
    return entity ? [checkOf(entity, count, now, passes)] : [];
  });

/** Returns the checks of exposure events and further checks, one row for each entity and hour. */
export function checksOfEvents(
  exposureEvents: readonly ExposureEvent[],
  snapshot: Snapshot,
  now: number,
  further: readonly Check[] = [],
): Check[] {
  const checks = new Map<string, Check>();
  const counted = exposureEvents.filter(({ isCheck }) => isCheck);
  for (const check of [...further, ...checksBy(counted, 1, snapshot, now)]) addCheck(checks, check);
  return [...checks.values()];
}
