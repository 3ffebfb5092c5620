import type * as z from 'zod';
import { Problem } from '../../problem.ts';
import { isEqual } from '../../shared/equal.ts';
import type { Patch } from '../../shared/fields.ts';
import { freeByName, newID } from '../../shared/ids.ts';
import type { Author } from '../../store/core/author.ts';
import type { Draft } from '../../store/core/transaction.ts';
import { keepHoldouts } from '../holdouts/member.ts';
import { moveTo, notStarted } from './lifecycle.ts';
import { requireDecision, requireUnlocked } from './locks.ts';
import { inTwoGroups, noOverrides } from './overrides.ts';
import { addQualityScores } from './quality.ts';
import { tidiedText } from './rules_text.ts';
import { isDue } from './scheduled_start.ts';
import type { Experiment, experimentCreate, experimentPatch } from './schema.ts';
import { unset } from './settings.ts';
import { sound } from './sound.ts';

type Body = z.infer<typeof experimentPatch>;
type Group = Experiment['groups'][number];

/** Completes the groups of a body; one without an id keeps that of the earlier group of its name, unless another asks for it. */
function withGroupIDs(groups: NonNullable<Body['groups']>, earlier: Group[] = []): Group[] {
  const byName = freeByName(groups, earlier);
  return groups.map((given) => {
    const id = given.id ?? byName.get(given.name)?.id ?? crypto.randomUUID();
    return { parameterValues: {}, description: '', disabled: false, ...given, id };
  });
}

/** The groups of an experiment that is created without any. */
const defaultGroups = () =>
  withGroupIDs([
    { name: 'Control', size: 50 },
    { name: 'Test', size: 50 },
  ]);

/** 400 where another unit type would have overrides put one unit into two groups. */
function requireOneGroup(before: Experiment, after: Experiment): void {
  if (before.idType === after.idType) return;
  const twice = inTwoGroups(after, after.overrides);
  if (twice)
    throw Problem.property(
      'idType',
      `would have overrides of this experiment put ${twice.of[0]} into two groups`,
    );
}

/** What an experiment is where a body that says all of it does not say. */
const defaults = {
  description: '',
  targetApps: [],
  tags: [],
  hypothesis: '',
  primaryMetrics: [],
  secondaryMetrics: [],
  primaryMetricTags: [],
  secondaryMetricTags: [],
  allocation: 100,
  duration: 14,
  defaultConfidenceInterval: '95' as const,
  bonferroniCorrection: false,
  teamID: null,
};

/** The defaults of what is locked once it has started. */
const lockedDefaults = {
  idType: 'userID',
  experimentType: 'BASE' as const,
  layerID: null,
  targetingGateID: '',
  inlineTargetingRulesJSON: '[]',
};

/** A new experiment from the body of its creation: in setup and undecided, whatever the body asks for. */
export function newExperiment(
  body: z.infer<typeof experimentCreate>,
  { actor }: Author,
): Draft<Experiment> {
  const { status: _asked, launchedGroupID: _undecided, ...settings } = body;
  const { groups: given, targetingGateID, manualQualityScores, ...rest } = settings;
  const groups = given ? withGroupIDs(given) : defaultGroups();
  return sound({
    ...defaults,
    ...lockedDefaults,
    ...notStarted,
    holdoutIDs: [],
    ...(body.isSidecar && { experimentType: 'SIDECAR' as const }),
    controlGroupID: groups[0]?.id ?? '',
    overrides: noOverrides,
    archivedFrom: null,
    ...rest,
    ...(manualQualityScores && { manualQualityScores: addQualityScores([], manualQualityScores) }),
    owner: { ownerType: 'USER', ownerName: actor.name },
    id: newID(body.id, body.name),
    status: 'setup' as const,
    targetingGateID: targetingGateID ?? '',
    groups,
  });
}

/** What a body changes of what is shown: a value that is sent back as it was read is no change. */
function changedBy(experiment: Experiment, body: Patch<Experiment>): Partial<Experiment> {
  const inlineTargetingRulesJSON = tidiedText(experiment.inlineTargetingRulesJSON);
  const all = { ...unset, manualQualityScores: [], ...experiment, inlineTargetingRulesJSON };
  const shown = new Map<string, unknown>(Object.entries(all));
  const changed = Object.entries(body).filter(
    ([property, value]) => value !== undefined && !isEqual(shown.get(property), value),
  );
  return Object.fromEntries(changed);
}

/** The control group beside new groups: where it goes with the old ones, the first of the new is. */
const controlAmong = (groups: Experiment['groups'] | undefined, { controlGroupID }: Experiment) =>
  !groups || groups.some(({ id }) => id === controlGroupID) ? undefined : groups[0]?.id;

/** An experiment after a partial update; a change of `status` obeys the lifecycle. */
export function patchExperiment(
  experiment: Experiment,
  body: Body,
  { time: now }: Pick<Author, 'time'>,
): Experiment {
  const { status, targetingGateID, manualQualityScores: scores, ...rest } = body;
  const groups = body.groups && withGroupIDs(body.groups, experiment.groups);
  const given: Patch<Experiment> = {
    ...rest,
    groups,
    controlGroupID: rest.controlGroupID ?? controlAmong(groups, experiment),
    targetingGateID: targetingGateID === null ? '' : targetingGateID,
    manualQualityScores: scores && addQualityScores(experiment.manualQualityScores ?? [], scores),
  };
  const changed = { ...experiment, ...changedBy(experiment, given) };
  const after = moveTo(changed, status, now, body);
  requireDecision(experiment, after, body.launchedGroupID);
  requireUnlocked(experiment, after);
  requireOneGroup(experiment, after);
  return sound(after);
}

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
export function replaceExperiment(
  experiment: Experiment,
  body: Body,
  author: Pick<Author, 'time'>,
): Experiment {
  const next = patchExperiment(withDefaults(experiment), body, author);
  requireOneGroup(experiment, next);
  return next;
}

/**
 * What an earlier version becomes when it is restored: it waits for no start whose time is over, so that none happens by
 * surprise, and is in the holdouts of today.
 * @throws Problem 409 where it would change what is locked in the experiment that has started
 */
export function restoreExperiment(
  snapshot: Experiment,
  current: Experiment | undefined,
): Experiment {
  if (current) requireUnlocked(current, snapshot);
  const isMissed = isDue(snapshot, Date.now());
  return keepHoldouts(isMissed ? { ...snapshot, scheduledStartTime: null } : snapshot, current);
}
