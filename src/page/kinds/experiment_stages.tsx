import type { Experiment } from '../base/types.ts';
import { ago, dayOf, moment } from '../base/words.ts';
import { dayInWords } from '../experiment/days.ts';
import { Stages } from '../ui/stages.tsx';

function reached({ startTime, endTime, decisionTime, status }: Experiment): number {
  if (decisionTime !== null || status === 'abandoned') return 3;
  if (endTime !== null) return 2;
  return startTime === null ? 0 : 1;
}

const startInWords = (scheduled: number | null) =>
  scheduled === null ? 'not started' : `starts ${moment(scheduled)}, ${ago(scheduled)}`;

function runInWords({ startTime, endTime, duration }: Experiment): string {
  if (startTime === null) return '';
  if (endTime !== null) return [...new Set([dayOf(startTime), dayOf(endTime)])].join(' to ');
  return `${dayInWords(startTime, duration)}, since ${dayOf(startTime)}`;
}

function decisionInWords({ status, groups, launchedGroupID }: Experiment): string {
  if (status === 'abandoned') return 'Abandoned';
  const launched = groups.find(({ id }) => id === launchedGroupID)?.name;
  return launched ? `Decided for ${launched}` : 'Decision';
}

/** Displays setup, run and decision, and marks the current stage. */
export function StagesOf({ experiment }: { experiment: Experiment }) {
  const { startTime, decisionTime, scheduledStartTime } = experiment;
  const at = reached(experiment);
  const stages = [
    { title: 'Setup', notes: [startTime === null ? startInWords(scheduledStartTime) : ''] },
    { title: at > 1 ? 'Ran' : 'Running', notes: [runInWords(experiment)] },
    {
      title: decisionInWords(experiment),
      notes: [decisionTime === null ? '' : dayOf(decisionTime)],
    },
  ];
  return <Stages stages={stages} at={at} />;
}
