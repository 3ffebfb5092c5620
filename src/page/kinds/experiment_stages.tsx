import type { Experiment } from '../types.ts';
import { Icon } from '../ui/icon.tsx';
import { ago, dayOf, moment } from '../words.ts';

const day = 86_400_000;

/** Which day of its run it is, from 1. */
export const dayOfRun = (startTime: number, now = Date.now()) =>
  Math.floor((now - startTime) / day) + 1;

/** How far it is, in the order of the stages; an archived one is where it was. */
function reached({ startTime, endTime, decisionTime, status }: Experiment): number {
  if (decisionTime !== null || status === 'abandoned') return 3;
  if (endTime !== null) return 2;
  return startTime === null ? 0 : 1;
}

/** When one that has not started will. */
const startInWords = (scheduled: number | null) =>
  scheduled === null ? 'not started' : `starts ${moment(scheduled)}, ${ago(scheduled)}`;

/** Setup, running, decision: where an experiment stands. */
export function Stages({ experiment }: { experiment: Experiment }) {
  const { startTime, endTime, decisionTime, duration, groups, launchedGroupID, status } =
    experiment;
  const { scheduledStartTime } = experiment;
  const at = reached(experiment);
  const launched = groups.find(({ id }) => id === launchedGroupID)?.name;
  const stages = [
    { title: 'Setup', when: startTime === null ? startInWords(scheduledStartTime) : '' },
    {
      title: at > 1 ? 'Ran' : 'Running',
      when:
        startTime === null
          ? ''
          : endTime === null
            ? `day ${dayOfRun(startTime)} of ${duration}, since ${dayOf(startTime)}`
            : [...new Set([dayOf(startTime), dayOf(endTime)])].join(' to '),
    },
    {
      title:
        status === 'abandoned' ? 'Abandoned' : launched ? `Decided for ${launched}` : 'Decision',
      when: decisionTime === null ? '' : dayOf(decisionTime),
    },
  ];
  return (
    <ol class="stages">
      {stages.map(({ title, when }, index) => {
        const look =
          index < at ? 'stage stage-done' : index === at ? 'stage stage-current' : 'stage';
        return (
          <li key={title} class={look} aria-current={index === at ? 'step' : undefined}>
            <span class="bar-line">
              {index < at && <Icon name="check" />}
              {title}
            </span>
            <span class="stage-when">{when}</span>
          </li>
        );
      })}
    </ol>
  );
}
