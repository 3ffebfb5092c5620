import { Problem } from '../../problem.ts';
import { isEqual } from '../../shared/equal.ts';
import { locked } from './locked.ts';
import type { Experiment } from './schema.ts';
import { unset } from './settings.ts';

/** An experiment as it is compared: what is left out is its default, and of groups counts what is served. */
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

/** What takes the lock off, or is the first step to that. */
const wayOut = ({ status }: Experiment) => (status === 'archived' ? 'unarchive' : 'reset');

/** 409 where a change touches what is locked from the start of an experiment until its reset. */
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

/** Whether there is a decision; that of an archived experiment comes back with it. */
export const isDecided = ({ status, archivedFrom }: Experiment): boolean =>
  (archivedFrom ?? status) === 'decision_made';

/** 409 where a decision would lose its group, or the reason that it had. */
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
 * Keeps the decision of an experiment whole, and off one that has none.
 * @param launchedGroupID what a change asks for
 * @throws Problem 409 that names the property
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
