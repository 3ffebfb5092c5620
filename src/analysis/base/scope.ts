import { dayLength } from '../../base/durations.ts';
import type { Analysis } from '../../experiments/starts/table.ts';

export interface Scope {
  analysis: Analysis;
  ds: number;
  end: number;
  exposureEnd: number;
}

export interface EndScope {
  analysis: Pick<Analysis, 'unitType' | 'start' | 'endTime'> & {
    settings: Pick<Analysis['settings'], 'maturesAfterEnd' | 'fixedDays' | 'analysisEnd'>;
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

export function scopeOf(analysis: Analysis, ds: number): Scope {
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
export const exposedID = ({ id }: Pick<Analysis, 'id'>): string => id.split(':')[0] ?? id;

export const keyOfAnalysis = ({
  kind,
  id,
  start,
}: Pick<Analysis, 'kind' | 'id' | 'start'>): string => JSON.stringify([kind, id, start]);
