import { Problem } from '../../problem.ts';
import { isEqual } from '../../shared/equal.ts';
import { locked } from './locked.ts';
import type { Experiment } from './schema.ts';
import { unset } from './settings.ts';

/** Returns the compared form: missing settings are their defaults, and groups compare by their served properties. */
const comparable = (experiment: Experiment) => ({
  ...unset,
  ...experiment,
  groups: experiment.groups.map(({ id, size, parameterValues, disabled }) => [
    id,
    size,
    parameterValues,
    disabled,
  ]),
  isAnalysisOnly: experiment.isAnalysisOnly ?? false,
  assignmentSourceName: experiment.assignmentSourceName || null,
});

const refused = (property: string, errorMessage: string, message: string) =>
  new Problem('transition', message, { errors: [{ property, errorMessage }] });

/** The move that unlocks the experiment, or the first step to it. */
const wayOut = ({ status }: Experiment) => (status === 'archived' ? 'unarchive' : 'reset');

/** @throws Problem 409 if a change touches a locked property of a started experiment */
export function requireUnlocked(before: Experiment, after: Experiment): void {
  if (before.status === 'setup' || after.status === 'setup') return;
  const [old, now] = [comparable(before), comparable(after)];
  const isOtherRun = old.startTime && old.startTime !== now.startTime;
  const changed =
    locked.find((property) => !isEqual(old[property], now[property])) ??
    (isOtherRun ? 'startTime' : undefined);
  if (changed)
    throw refused(
      changed,
      'cannot be changed once the experiment has started',
      `${changed} cannot be changed while the experiment is in status ${before.status}; ${wayOut(before)} it first.`,
    );
}

/** Whether there is a decision; an archived experiment keeps its decision. */
export const isDecided = ({ status, archivedFrom }: Experiment): boolean =>
  (archivedFrom ?? status) === 'decision_made';

/** @throws Problem 409 if a decision would lose its group or its reason */
function requireWhole(before: Experiment, after: Experiment): void {
  const { status, launchedGroupID, decisionReason } = after;
  const hadReason = isDecided(before) && Boolean(before.decisionReason?.trim());
  const lost = Object.entries({ launchedGroupID, ...(hadReason && { decisionReason }) }).find(
    ([, value]) => !value?.trim(),
  );
  if (lost)
    throw refused(
      lost[0],
      'cannot be emptied once the decision is made',
      `${lost[0]} stays while the experiment is in status ${status}; ${wayOut(after)} it first.`,
    );
}

/**
 * Checks that a decision stays complete, and that an undecided experiment gets none.
 * @param launchedGroupID the group of the change
 * @throws Problem 409 naming the property
 */
export function requireDecision(
  before: Experiment,
  after: Experiment,
  launchedGroupID: string | null | undefined,
): void {
  if (isDecided(after)) requireWhole(before, after);
  else if (launchedGroupID)
    throw refused(
      'launchedGroupID',
      'is set by a decision only',
      `launchedGroupID is set by a decision, and there is none in status ${after.status}; make one, or leave it out.`,
    );
}
