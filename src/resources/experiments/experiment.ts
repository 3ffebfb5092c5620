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

/**
 * Completes the groups of a body. A group without an ID keeps the ID of the earlier group with its name, unless
 * another group requests that ID.
 */
function withGroupIDs(groups: NonNullable<Body['groups']>, earlier: Group[] = []): Group[] {
  const byName = freeByName(groups, earlier);
  return groups.map((given) => {
    const id = given.id ?? byName.get(given.name)?.id ?? crypto.randomUUID();
    return { parameterValues: {}, description: '', disabled: false, ...given, id };
  });
}

const defaultGroups = () =>
  withGroupIDs([
    { name: 'Control', size: 50 },
    { name: 'Test', size: 50 },
  ]);

/** @throws Problem 400 if another unit type would put one unit into two groups by overrides */
function requireOneGroup(before: Experiment, after: Experiment): void {
  if (before.idType === after.idType) return;
  const twice = inTwoGroups(after, after.overrides);
  if (twice)
    throw Problem.property(
      'idType',
      `would have overrides of this experiment put ${twice.of[0]} into two groups`,
    );
}

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

/** Defaults of properties that are locked after the start. */
const lockedDefaults = {
  idType: 'userID',
  experimentType: 'BASE' as const,
  layerID: null,
  targetingGateID: '',
  inlineTargetingRulesJSON: '[]',
};

/** Returns a new experiment in setup and undecided, regardless of the body. */
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

/** Returns the properties that a body changes. A value sent back unchanged is not a change. */
function changedBy(experiment: Experiment, body: Patch<Experiment>): Partial<Experiment> {
  const inlineTargetingRulesJSON = tidiedText(experiment.inlineTargetingRulesJSON);
  const all = { ...unset, manualQualityScores: [], ...experiment, inlineTargetingRulesJSON };
  const shown = new Map<string, unknown>(Object.entries(all));
  const changed = Object.entries(body).filter(
    ([property, value]) => value !== undefined && !isEqual(shown.get(property), value),
  );
  return Object.fromEntries(changed);
}

/** Returns the control group for new groups: the first of them if the old control group is gone. */
const controlAmong = (groups: Experiment['groups'] | undefined, { controlGroupID }: Experiment) =>
  !groups || groups.some(({ id }) => id === controlGroupID) ? undefined : groups[0]?.id;

/** Applies a partial update. A change of `status` follows the lifecycle. */
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

/** Puts back defaults for a full update, except properties that are locked after the start. */
function withDefaults(experiment: Experiment): Experiment {
  const { restartedFrom: _origin, salt: _salt, ...others } = unset;
  const { userBuckets, isAnalysisOnly, assignmentSourceName, ...open } = others;
  const locked = { ...lockedDefaults, userBuckets, isAnalysisOnly, assignmentSourceName };
  const isOpen = experiment.status === 'setup';
  const all = { ...defaults, manualQualityScores: [], ...open, ...(isOpen && locked) };
  return { ...experiment, ...changedBy(experiment, all) };
}

/** Applies a full update. Name, groups, status and decision stay if the body does not have them. */
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
 * Restores an earlier version with today's holdouts, and without a scheduled start in the past.
 * @throws Problem 409 if it would change a locked property of a started experiment
 */
export function restoreExperiment(
  snapshot: Experiment,
  current: Experiment | undefined,
): Experiment {
  if (current) requireUnlocked(current, snapshot);
  const isMissed = isDue(snapshot, Date.now());
  return keepHoldouts(isMissed ? { ...snapshot, scheduledStartTime: null } : snapshot, current);
}
