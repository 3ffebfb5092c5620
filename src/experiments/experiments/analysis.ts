import { distinct } from '../../base/distinct.ts';
import { metricID } from '../../base/naming.ts';
import { dayLength } from '../../base/time.ts';
import { storedUnitType } from '../../base/unit_types.ts';
import { resultSettingsOf } from '../starts/settings_schema.ts';
import type { Start, StartSettings } from '../starts/table.ts';
import type { Experiment } from './schema.ts';

export const defaultTuningUnits = 5000;

function startTags({ primaryMetricTags: primary, secondaryMetricTags: secondary }: Experiment) {
  return primary.length + secondary.length > 0 ? { tags: { primary, secondary, added: [] } } : {};
}

/** The values of parameters may be large, and change no result. */
const decidedOf = (experiment: Experiment) => ({
  ...resultSettingsOf(experiment),
  groups: experiment.groups.map((group) => ({ ...group, parameterValues: {} })),
});

/** Returns the settings of an experiment that decide what its analysis computes. */
export const analysisSettingsOf = (experiment: Experiment): Omit<StartSettings, 'definitions'> => ({
  primaryMetrics: experiment.primaryMetrics.map(metricID),
  secondaryMetrics: experiment.secondaryMetrics.map(metricID),
  otherMetrics: (experiment.otherMetrics ?? []).map(metricID),
  ...startTags(experiment),
  dimensions: distinct((experiment.preComputedUserDimensions ?? []).map(({ name }) => name)),
  cohortDays: experiment.cohortedAnalysisDuration ?? null,
  waitsForCohort: Boolean(
    experiment.cohortedAnalysisDuration && experiment.cohortWaitUntilEndToInclude,
  ),
  maturesAfterEnd: Boolean(
    experiment.cohortedAnalysisDuration && experiment.cohortedMetricsMatureAfterEnd,
  ),
  fixedDays: experiment.fixedAnalysisDuration ?? null,
  decided: experiment.decisionTime === null ? null : decidedOf(experiment),
  analysisEnd: experiment.analysisEndTime ? Date.parse(experiment.analysisEndTime) : null,
});

/** Returns the analysis of a started experiment, with the design of this moment. */
export function startOf(experiment: Experiment, start: number): Start {
  const { id, idType, groups, controlGroupID, targetExposures } = experiment;
  return {
    kind: 'experiment',
    id,
    start,
    unitType: storedUnitType(idType),
    groups: groups.map((group) => ({ id: group.id, name: group.name, size: group.size })),
    control: controlGroupID,
    assignmentEnd: experiment.assignmentStopTime ?? null,
    endTime: experiment.endTime,
    plannedEnd: targetExposures ? null : start + experiment.duration * dayLength,
    designAlpha: (100 - Number(experiment.defaultConfidenceInterval)) / 100,
    tuningUnits: targetExposures ?? defaultTuningUnits,
    settings: { ...analysisSettingsOf(experiment), definitions: {} },
    health: null,
    loadedTime: null,
    loadedDay: null,
    dueDay: Math.floor(start / dayLength),
    lateEvents: {},
    isOpen: true,
  };
}
