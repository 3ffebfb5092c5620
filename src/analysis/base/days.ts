import { dayLength, dayOfTime, hourLength } from '../../base/time.ts';
import type { Start } from '../../experiments/starts/table.ts';
import { fixedEnd } from './scope.ts';

const closingTime = hourLength;

export const reloadedDays = 7;

export const closedDay = (now: number): number => dayOfTime(now - closingTime) - 1;

/** Returns the last day of an analysis with results of its own; null while it has no end. */
export function lastDay(analysis: Start): number | null {
  const { endTime, settings } = analysis;
  const maturing = settings.maturesAfterEnd ? (settings.cohortDays ?? 0) * dayLength : 0;
  const ends = [endTime === null ? null : endTime + maturing, fixedEnd(analysis)];
  const known = ends.filter((end) => end !== null);
  return known.length > 0 ? dayOfTime(Math.min(...known) - 1) : null;
}

/** Returns an analysis whose loaded and due days are not after its last day. */
export function withinEnd(analysis: Start): Start {
  const { loadedDay, dueDay, start } = analysis;
  const last = lastDay(analysis);
  if (last === null || loadedDay === null || loadedDay <= last) return analysis;
  const first = dayOfTime(start);
  return {
    ...analysis,
    loadedDay: last < first ? null : last,
    dueDay: Math.max(first, Math.min(dueDay, last + 1)),
  };
}

/** Whether the experiment of an analysis is decided: late data, other settings and reloads no longer change it. */
export const isDecidedStart = ({ settings: { decided } }: Pick<Start, 'settings'>): boolean =>
  Boolean(decided);

/** Whether a decided analysis has all days that were closed at its decision, or all days if it had none; none is loaded again. */
export function isFrozen(analysis: Start): boolean {
  const { endTime, loadedDay, settings } = analysis;
  const { decided } = settings;
  if (!decided || loadedDay === null) return false;
  const last = lastDay(analysis) ?? Number.POSITIVE_INFINITY;
  const closed = endTime === null ? last : closedDay(endTime);
  return loadedDay >= (decided.wasLoaded ? Math.min(last, closed) : last);
}
