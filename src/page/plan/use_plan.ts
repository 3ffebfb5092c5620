import { useEffect, useState } from 'preact/hooks';
import type { Experiment } from '../base/types.ts';
import { useDebounced, useGet } from '../base/use.ts';
import type { Editing } from '../entity/kind.ts';
import { baselineBody, groupsBody, planOf, type Wish } from './power.ts';
import { withChange } from './roles.ts';
import type { TypedNumbers } from './typed.ts';

const settleMilliseconds = 150;

type Driver = 'change' | 'days';

const round = (value: number, digits: number) => Number(value.toFixed(digits));

/** Returns the units a day that take part; undefined unless they are known. */
export function allocatedPerDay({ unitsPerDay }: TypedNumbers, { allocation }: Experiment) {
  if (typeof unitsPerDay !== 'number' || typeof allocation !== 'number') return undefined;
  const units = (unitsPerDay * allocation) / 100;
  return units > 0 ? units : undefined;
}

function wishOf(
  experiment: Experiment,
  metricID: string,
  typed: TypedNumbers,
  driver: Driver,
): Wish | undefined {
  const baseline = baselineBody(typed.baselines?.[metricID], metricID);
  const groups = groupsBody(experiment);
  const unitsPerDay = allocatedPerDay(typed, experiment);
  if (!baseline || !groups || !unitsPerDay) return undefined;
  const base = { ...baseline, ...groups };
  const { smallestChanges, duration } = experiment;
  const percent = smallestChanges.find((one) => one.metricID === metricID)?.percent;
  if (driver === 'change')
    return typeof percent === 'number' && percent > 0 ? { base, unitsPerDay, percent } : undefined;
  return typeof duration === 'number' && duration > 0
    ? { base, unitsPerDay, days: duration }
    : undefined;
}

/** Binds the smallest change, the days and the allocation to each other: after a move, the bound value follows. */
export function usePlan(editing: Editing<Experiment>, metricID: string, typed: TypedNumbers) {
  const { value: experiment, set } = editing;
  const [driver, setDriver] = useState<Driver>();
  const wish = wishOf(experiment, metricID, typed, driver ?? 'days');
  const key = wish ? JSON.stringify(wish) : '';
  const late = useDebounced(key, settleMilliseconds);
  const read = useGet(late && `plan ${late}`, () => planOf(JSON.parse(late)));
  const plan = read.value;
  const isSettled = key === late && plan !== undefined;
  useEffect(() => {
    if (!driver || !isSettled) return;
    const { days, percent, units } = plan;
    if (driver === 'change' && days !== null)
      set({ duration: Math.max(2, days), targetExposures: units });
    if (driver === 'days' && percent !== null) {
      const { smallestChanges } = experiment;
      set({
        smallestChanges: withChange(smallestChanges, metricID, Math.max(0.01, round(percent, 2))),
        targetExposures: units,
      });
    }
  }, [isSettled, late, plan]);
  return {
    plan: late ? plan : undefined,
    problem: read.problem,
    again: read.again,
    isWaiting: key === '',
    setPercent: (percent: unknown) => {
      setDriver('change');
      set({ smallestChanges: withChange(experiment.smallestChanges, metricID, Number(percent)) });
    },
    setDays: (duration: unknown) => {
      setDriver('days');
      set({ duration });
    },
    setAllocation: (allocation: unknown) => {
      setDriver((before) => before ?? 'days');
      set({ allocation });
    },
  };
}
