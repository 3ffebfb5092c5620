import type * as z from 'zod';
import type { summary } from '../../results/base/responses.ts';
import type { Experiment } from '../base/types.ts';
import { ago, count, dayOf } from '../base/words.ts';
import { chance } from '../charts/format.ts';
import type { Bounds } from '../charts/types.ts';
import type { Counting } from '../charts/verdict_sign.ts';
import { dayInWords } from '../experiment/days.ts';
import type { Health } from '../results/frame/api_types.ts';
import { boundsOfInterval, countingOf } from '../results/frame/counting.ts';
import { type ResultsState, type Situation, stateOf } from '../results/frame/state.ts';
import type { Result } from '../results/frame/types.ts';
import { conditionsOf } from '../results/verdict/conditions.ts';
import { situationOf } from '../results/verdict/situation.ts';
import type { StatusLook } from '../ui/status_look.ts';
import { failedCheck, isOver, type Urgency, urgencyOf } from './urgency.ts';

export type Summary = Omit<z.infer<typeof summary>, 'healthCheckStatus'>;

export interface Standing {
  experiment: Experiment;
  urgency: Urgency;
  status: StatusLook;
  when: string;
  state: ResultsState;
  situation: Situation;
  result: Result | undefined;
  metricName: string;
  word: string;
  lift: number | null;
  bounds: Bounds | null;
  counting: Counting;
}

const launchedName = ({ groups, launchedGroupID }: Experiment) =>
  groups.find(({ id }) => id === launchedGroupID)?.name;

function standingLook(experiment: Experiment, urgency: Urgency): StatusLook {
  const { status } = experiment;
  if (urgency === 'decide') return { tone: 'waiting', word: 'Needs a decision' };
  if (urgency === 'broken')
    return {
      tone: 'bad',
      word: failedCheck(experiment) === 'Balanced groups' ? 'Unbalanced groups' : 'Failed health',
    };
  if (urgency === 'running') return { tone: 'going', word: 'Running' };
  if (urgency === 'waiting') return { tone: 'idle', word: 'Not started' };
  if (status === 'decision_made')
    return { tone: 'done', word: `Shipped ${launchedName(experiment) ?? ''}`.trim() };
  return status === 'abandoned'
    ? { tone: 'bad', word: 'Abandoned' }
    : { tone: 'away', word: 'Archived' };
}

function whenOf(experiment: Experiment, now: number): string {
  const { status, startTime, endTime, decisionTime, scheduledStartTime, duration } = experiment;
  if (decisionTime !== null) return dayOf(decisionTime);
  if (startTime === null)
    return scheduledStartTime === null ? '' : `starts ${ago(scheduledStartTime)}`;
  if (endTime !== null) return `ended ${dayOf(endTime)}`;
  if (status === 'active' && isOver(experiment, now)) return `${count(duration, 'day')} are over`;
  return dayInWords(startTime, duration);
}

const closedWords: Record<Counting, string> = {
  better: 'won',
  worse: 'lost',
  leaning: 'unclear',
  leaningworse: 'unclear',
  unclear: 'unclear',
};

const words: Record<ResultsState, string> = {
  collecting: 'no result yet',
  preliminary: 'no result yet',
  trending: 'too early',
  win: 'ahead',
  winOpen: 'ahead',
  loss: 'behind',
  guardrail: 'loses a guardrail',
  flat: 'no difference',
  unclear: 'unclear',
  unbalanced: "don't read",
  bayesian: '',
  stale: 'old result',
  noMetrics: '',
  decided: '',
};

const finalWords: Partial<Record<ResultsState, string>> = {
  win: 'wins',
  winOpen: 'wins',
  loss: 'loses',
  trending: 'unclear',
};

interface StandingJudged {
  state: ResultsState;
  situation: Situation;
  result: Result | undefined;
}

function standingInWords(urgency: Urgency, { state, situation, result }: StandingJudged): string {
  if (urgency === 'waiting') return '';
  if (urgency === 'closed') return result ? closedWords[countingOf(result)] : '';
  if (state === 'bayesian') return `${chance(result?.bayesian?.chanceToBeat)} to be better`;
  return (situation.isOver && finalWords[state]) || words[state];
}

const balance = { pValue: null, alwaysValidPValue: null, groups: [], days: [], dimensions: [] };

const healthByChecks = ({ healthChecks, healthCheckStatus }: Experiment): Health => ({
  healthCheckStatus,
  healthChecks,
  exposures: {
    units: healthChecks
      .flatMap(({ groups = [] }) => groups)
      .reduce((sum, { units }) => sum + units, 0),
    perDay: 0,
    lastTime: null,
  },
  balance,
  crossovers: { units: 0, share: 0 },
  metrics: [],
});

function judged(experiment: Experiment, summary: Summary | undefined): StandingJudged {
  const result = summary?.metric ?? undefined;
  const primaryMetrics = result ? [result] : [];
  const situation = situationOf({
    experiment,
    view: { control: experiment.controlGroupID, test: summary?.testGroupID ?? '' },
    test: summary?.testGroupID ?? '',
    results: {
      ds: summary?.ds ?? null,
      preliminary: false,
      loadedTime: null,
      warnings: [],
      primaryMetrics,
      secondaryMetrics: [],
      otherMetrics: [],
    },
    health: healthByChecks(experiment),
    conditions: conditionsOf(experiment.decisionRule, primaryMetrics),
  });
  return { situation, result, state: stateOf(situation, result) };
}

function standingBounds(result: Result | undefined, isRunning: boolean): Bounds | null {
  const always = isRunning ? result?.percentSequentialTestingConfidenceInterval : null;
  return boundsOfInterval(always ?? result?.percentConfidenceInterval ?? null);
}

/** Returns an experiment as a line of a list, with its first primary result if it has one. */
export function standingOf(
  experiment: Experiment,
  summary: Summary | undefined,
  now = Date.now(),
): Standing {
  const urgency = urgencyOf(experiment, now);
  const { situation, result, state } = judged(experiment, summary);
  const isRead = result !== undefined && !situation.isUnbalanced;
  return {
    experiment,
    urgency,
    status: standingLook(experiment, urgency),
    when: whenOf(experiment, now),
    state,
    situation,
    result,
    metricName: result?.metricName ?? experiment.primaryMetrics[0]?.name ?? '',
    word: standingInWords(urgency, { state, situation, result }),
    lift: isRead ? result.percentChange : null,
    bounds: isRead ? standingBounds(result, urgency === 'running') : null,
    counting: result ? countingOf(result) : 'unclear',
  };
}
