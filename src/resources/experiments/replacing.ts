import type { Author } from '../../store/author.ts';
import {
  type Body,
  changedBy,
  defaults,
  lockedDefaults,
  patchExperiment,
  requireOneGroup,
} from './experiment.ts';
import type { Experiment } from './schema.ts';
import { unset } from './settings.ts';

/** What a full update puts back to its default where its body does not say; of a started one nothing that is locked. */
function withDefaults(experiment: Experiment): Experiment {
  const { restartedFrom: _origin, salt: _salt, ...others } = unset;
  const { userBuckets, isAnalysisOnly, assignmentSourceName, ...open } = others;
  const locked = { ...lockedDefaults, userBuckets, isAnalysisOnly, assignmentSourceName };
  const isOpen = experiment.status === 'setup';
  const all = { ...defaults, manualQualityScores: [], ...open, ...(isOpen && locked) };
  return { ...experiment, ...changedBy(experiment, all) };
}

/** An experiment after a full update: name, groups, status and decision are kept where the body does not say. */
export const replaceExperiment = (
  experiment: Experiment,
  body: Body,
  author: Pick<Author, 'time'>,
): Experiment => {
  const next = patchExperiment(withDefaults(experiment), body, author);
  requireOneGroup(experiment, next);
  return next;
};
