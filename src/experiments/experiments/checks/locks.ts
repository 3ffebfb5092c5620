import { isEqual } from '../../../base/equal.ts';
import { Problem } from '../../../base/problem.ts';
import { settingDefaults } from '../schema/settings.ts';
import type { Experiment } from '../schema.ts';
import { lockedProperties } from './locked_properties.ts';

/** Absent settings equal their defaults; group names and descriptions are not locked. */
const comparableSettings = (experiment: Experiment) => ({
  ...settingDefaults,
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

const lockedProblem = (property: string, errorMessage: string, message: string) =>
  new Problem('transition', message, { errors: [{ property, errorMessage }] });

const unlockingAction = ({ status }: Experiment) => (status === 'archived' ? 'unarchive' : 'reset');

/** Throws 409 if a change after the start affects a locked property. */
export function requireUnlockedExperiment(before: Experiment, after: Experiment): void {
  if (before.status === 'setup' || after.status === 'setup') return;
  const [old, now] = [comparableSettings(before), comparableSettings(after)];
  const isOtherRun = old.startTime && old.startTime !== now.startTime;
  const changed =
    lockedProperties.find((property) => !isEqual(old[property], now[property])) ??
    (isOtherRun ? 'startTime' : undefined);
  if (changed)
    throw lockedProblem(
      changed,
      'must not change once the experiment has started',
      `${changed} cannot be changed while the experiment is in status ${before.status}; ${unlockingAction(before)} it first.`,
    );
}

/** Whether a decision was made; an archived experiment keeps it. */
export const isDecidedExperiment = ({ status, archivedFrom }: Experiment): boolean =>
  (archivedFrom ?? status) === 'decision_made';

function requireCompleteDecision(before: Experiment, after: Experiment): void {
  const { status, launchedGroupID, decisionReason } = after;
  const hadReason = isDecidedExperiment(before) && Boolean(before.decisionReason?.trim());
  const lost = Object.entries({ launchedGroupID, ...(hadReason && { decisionReason }) }).find(
    ([, value]) => !value?.trim(),
  );
  if (lost)
    throw lockedProblem(
      lost[0],
      'must not be empty once the decision is made',
      `${lost[0]} must be kept while the experiment is in status ${status}; ${unlockingAction(after)} it first.`,
    );
}

/** Requires a decided experiment to keep its decision, others to have none. @throws Problem 409 naming the property. */
export function requireDecision(
  before: Experiment,
  after: Experiment,
  launchedGroupID: string | null | undefined,
): void {
  if (isDecidedExperiment(after)) requireCompleteDecision(before, after);
  else if (launchedGroupID)
    throw lockedProblem(
      'launchedGroupID',
      'must be set by a decision',
      `The experiment is in status ${after.status}, without a decision; make a decision, or leave out launchedGroupID.`,
    );
}
