import type { Release } from '../base/types.ts';
import { capital, titleOf } from '../base/words.ts';
import { verdictOf } from '../results/verdict/verdict.ts';
import type { IconName } from '../ui/icon.tsx';
import type { Standing } from '../urgency/standing.ts';

export interface Need {
  tone: 'good' | 'bad' | 'wait';
  icon: IconName;
  title: string;
  detail: string;
  href: string;
  action: string;
  standing?: Standing;
}

const addressFor = (kind: string, id: string) => `/${kind}/${encodeURIComponent(id)}`;

function decisionOn(standing: Standing): Need {
  const { experiment, state, result, situation, counting, when } = standing;
  const { sentence } = verdictOf(state, result, situation);
  return {
    tone: counting === 'better' ? 'good' : 'wait',
    icon: 'flask',
    title: `${titleOf(experiment)} is ready for a decision`,
    detail: [sentence, when && `${capital(when)}.`].filter(Boolean).join(' '),
    href: addressFor('experiments', experiment.id),
    action: 'Decide',
    standing,
  };
}

function causeOf({ experiment, situation }: Standing): Need {
  const failed = experiment.healthChecks.find(({ status }) => status === 'FAILED');
  return {
    tone: 'bad',
    icon: 'alert',
    title: `${titleOf(experiment)}: ${situation.isUnbalanced ? 'groups are unbalanced' : 'a health check failed'}`,
    detail: failed?.description ?? '',
    href: addressFor('experiments', experiment.id),
    action: 'Find the cause',
  };
}

const reviewOf = (release: Release): Need => ({
  tone: 'wait',
  icon: 'rocket',
  title: `${release.gateID || release.dynamicConfigID} waits for a review`,
  detail: `Phase “${release.currentPhase}” of ${release.releasePipelineID} starts when you approve it.`,
  href: addressFor('releases', release.id),
  action: 'Review',
});

/** Returns the decisions, failed health checks and reviews that wait for a person, in this order. */
export const needsOf = (standings: Standing[], releases: Release[]): Need[] => [
  ...standings.filter(({ urgency }) => urgency === 'decide').map(decisionOn),
  ...standings.filter(({ urgency }) => urgency === 'broken').map(causeOf),
  ...releases.filter(({ status }) => status === 'WAITING_FOR_REVIEW').map(reviewOf),
];
