import { dayLength } from '../../base/time.ts';
import type { Start } from '../../experiments/starts/table.ts';

export interface DayScope {
  analysis: Start;
  ds: number;
  end: number;
  exposureEnd: number;
}

export interface EndScope {
  analysis: Pick<Start, 'unitType' | 'start' | 'endTime'> & {
    settings: Pick<Start['settings'], 'maturesAfterEnd' | 'fixedDays' | 'analysisEnd'>;
  };
  end: number;
}

const earliest = (...times: (number | null)[]): number =>
  Math.min(...times.filter((time) => time !== null));

/** Returns the end of an analysis with a fixed duration or a set end; null without one. */
export function fixedEnd({
  start,
  settings: { fixedDays, analysisEnd },
}: EndScope['analysis']): number | null {
  const ends = [fixedDays === null ? null : start + fixedDays * dayLength, analysisEnd];
  return ends.every((end) => end === null) ? null : earliest(...ends);
}

export function dayScope(analysis: Start, ds: number): DayScope {
  const { assignmentEnd, endTime } = analysis;
  const end = (ds + 1) * dayLength;
  const exposureEnd = earliest(end, assignmentEnd, endTime, fixedEnd(analysis));
  return { analysis, ds, end, exposureEnd };
}

/** Returns the time from which events do not count for a metric. */
export function eventEnd({ analysis, end }: EndScope, bakeDays: number): number {
  const { endTime, settings } = analysis;
  const closing = settings.maturesAfterEnd ? null : endTime;
  return earliest(end, closing, fixedEnd(analysis)) - bakeDays * dayLength;
}

/** Returns the ID of the exposed entity: a rule is part of a gate. */
export const exposedID = ({ id }: Pick<Start, 'id'>): string => id.split(':')[0] ?? id;

export const keyOfAnalysis = ({ kind, id, start }: Pick<Start, 'kind' | 'id' | 'start'>): string =>
  JSON.stringify([kind, id, start]);
