import type * as z from 'zod';
import { isEqual } from '../../base/equal.ts';
import type { Patch } from '../../base/fields.ts';
import { freeByName, newID } from '../../base/ids.ts';
import { Problem } from '../../base/problem.ts';
import { withCurrentHoldouts } from '../../model/membership.ts';
import type { Author } from '../../platform/store/core/author.ts';
import type { Draft } from '../../platform/store/core/transaction.ts';
import { requireDecision, requireUnlockedExperiment } from './checks/locks.ts';
import { addQualityScores } from './checks/quality.ts';
import { validateExperiment } from './checks/validate.ts';
import { initialRun, moveExperimentTo } from './lifecycle/lifecycle.ts';
import { isStartOverdue } from './lifecycle/scheduled_start.ts';
import { noOverrides, secondPlacement } from './overrides.ts';
import { normalizedRulesText } from './schema/rules_text.ts';
import { settingDefaults } from './schema/settings.ts';
import type { Experiment, experimentCreate, experimentPatch } from './schema.ts';

type Body = z.infer<typeof experimentPatch>;
type Group = Experiment['groups'][number];

/** A group without an id keeps the id of the earlier group with its name, unless another group takes that id. */
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

function requireOneGroupPerUnit(before: Experiment, after: Experiment): void {
  if (before.idType === after.idType) return;
  const placement = secondPlacement(after, after.overrides);
  if (placement)
    throw Problem.property(
      'idType',
      `must not make overrides of this experiment put ${placement.of[0]} into two groups`,
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

const lockedDefaults = {
  idType: 'userID',
  experimentType: 'BASE' as const,
  layerID: null,
  targetingGateID: '',
  inlineTargetingRulesJSON: '[]',
};

/** Returns a new experiment from a creation body. It is in setup and undecided, even if the body differs. */
export function newExperiment(
  body: z.infer<typeof experimentCreate>,
  { actor }: Author,
): Draft<Experiment> {
  const { status: _status, launchedGroupID: _launchedGroupID, ...settings } = body;
  const { groups: given, targetingGateID, manualQualityScores, ...rest } = settings;
  const groups = given ? withGroupIDs(given) : defaultGroups();
  return validateExperiment({
    ...defaults,
    ...lockedDefaults,
    ...initialRun,
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

function changedBy(experiment: Experiment, body: Patch<Experiment>): Partial<Experiment> {
  const inlineTargetingRulesJSON = normalizedRulesText(experiment.inlineTargetingRulesJSON);
  const all = {
    ...settingDefaults,
    manualQualityScores: [],
    ...experiment,
    inlineTargetingRulesJSON,
  };
  const currentValues = new Map<string, unknown>(Object.entries(all));
  const changed = Object.entries(body).filter(
    ([property, value]) => value !== undefined && !isEqual(currentValues.get(property), value),
  );
  return Object.fromEntries(changed);
}

const controlFor = (groups: Experiment['groups'] | undefined, { controlGroupID }: Experiment) =>
  !groups || groups.some(({ id }) => id === controlGroupID) ? undefined : groups[0]?.id;

/** Returns an experiment after a partial update; a change of `status` follows the lifecycle. */
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
    controlGroupID: rest.controlGroupID ?? controlFor(groups, experiment),
    targetingGateID: targetingGateID === null ? '' : targetingGateID,
    manualQualityScores: scores && addQualityScores(experiment.manualQualityScores ?? [], scores),
  };
  const changed = { ...experiment, ...changedBy(experiment, given) };
  const after = moveExperimentTo(changed, status, now, body);
  requireDecision(experiment, after, body.launchedGroupID);
  requireUnlockedExperiment(experiment, after);
  requireOneGroupPerUnit(experiment, after);
  return validateExperiment(after);
}

function withExperimentDefaults(experiment: Experiment): Experiment {
  const { restartedFrom: _origin, salt: _salt, ...others } = settingDefaults;
  const { userBuckets, isAnalysisOnly, assignmentSourceName, ...unplanned } = others;
  const { decisionRule, smallestChanges, ...unlockedSettings } = unplanned;
  const plan = { decisionRule, smallestChanges };
  const locked = { ...lockedDefaults, ...plan, userBuckets, isAnalysisOnly, assignmentSourceName };
  const isUnlocked = experiment.status === 'setup';
  const all = {
    ...defaults,
    manualQualityScores: [],
    ...unlockedSettings,
    ...(isUnlocked && locked),
  };
  return { ...experiment, ...changedBy(experiment, all) };
}

/** Returns an experiment after a full update: name, groups, status and decision stay, absent properties are reset. */
export function replaceExperiment(
  experiment: Experiment,
  body: Body,
  author: Pick<Author, 'time'>,
): Experiment {
  const next = patchExperiment(withExperimentDefaults(experiment), body, author);
  requireOneGroupPerUnit(experiment, next);
  return next;
}

/** Restores a version without a missed start. @throws Problem 409 if a locked property differs after the start. */
export function restoreExperiment(
  snapshot: Experiment,
  current: Experiment | undefined,
): Experiment {
  if (current) requireUnlockedExperiment(current, snapshot);
  const isStartMissed = isStartOverdue(snapshot, Date.now());
  return withCurrentHoldouts(
    isStartMissed ? { ...snapshot, scheduledStartTime: null } : snapshot,
    current,
  );
}
