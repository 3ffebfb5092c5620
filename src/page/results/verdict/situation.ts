import { dayLength } from '../../../base/time.ts';
import type { Experiment } from '../../base/types.ts';
import { countOf, dayLabel, isNumber, pValue } from '../../charts/format.ts';
import type { Health } from '../frame/api_types.ts';
import { allOf, type Compared } from '../frame/compared.ts';
import type { Situation } from '../frame/state.ts';
import type { PulseResults, Result } from '../frame/types.ts';
import type { View } from '../frame/view.ts';
import type { ResultCondition } from './conditions.ts';

interface Known {
  experiment: Experiment;
  view: View;
  test: string;
  results: PulseResults;
  health: Health;
  conditions: ResultCondition[];
}

const nameOfGroup = ({ groups }: Experiment, id: string) =>
  groups.find((group) => group.id === id)?.name ?? id;

const hour = 3_600_000;

function hoursOldOf({ status }: Experiment, { ds }: PulseResults): number | null {
  if (ds === null || status !== 'active') return null;
  return (Date.now() - (Date.parse(ds) + dayLength)) / hour;
}

const hasClosedDay = ({ ds, preliminary }: PulseResults, start: number) =>
  ds !== null && (!preliminary || Date.parse(ds) > start);

const isFailed = ({ healthChecks }: Health, check: string) =>
  healthChecks.some(({ name, status }) => name === check && status === 'FAILED');

const shortRatio = (shares: (number | null)[]) =>
  shares.map((share) => (share === null ? '–' : Number(share.toFixed(1)))).join(' : ');

function imbalanceOf({ balance: { groups, pValue: p } }: Health): string | undefined {
  if (groups.length === 0) return undefined;
  const sizes = groups.map(({ groupName, units }) => `${countOf(units)} units in ${groupName}`);
  const expected = shortRatio(groups.map(({ expectedShare }) => expectedShare));
  const chance = isNumber(p) ? ` (p ${p < 0.001 ? '< 0.001' : `= ${pValue(p)}`})` : '';
  return `${sizes.join(', ')}; ${expected} was expected${chance}. Find the cause first.`;
}

/** Returns what the verdict depends on. */
export function situationOf(known: Known): Situation {
  const { experiment, view, test, results, health, conditions } = known;
  const { startTime, endTime, decisionTime, duration, launchedGroupID } = experiment;
  const start = startTime ?? Date.now();
  const now = decisionTime ?? endTime ?? Date.now();
  const failed = conditions.find(({ state, isGuardrail }) => state === 'failed' && isGuardrail);
  return {
    test: nameOfGroup(experiment, test),
    control: nameOfGroup(experiment, view.control),
    units: health.exposures.units,
    plannedUnits: experiment.targetExposures ?? null,
    day: Math.floor((now - start) / dayLength) + 1,
    plannedDays: duration,
    isOver: endTime !== null || now >= start + duration * dayLength,
    hasClosedDay: hasClosedDay(results, start),
    hoursOld: hoursOldOf(experiment, results),
    isUnbalanced: isFailed(health, 'Balanced groups'),
    imbalance: imbalanceOf(health),
    hasMetrics: allOf(results).length > 0 || experiment.primaryMetrics.length > 0,
    shipped: launchedGroupID ? nameOfGroup(experiment, launchedGroupID) : undefined,
    isBayesian: experiment.analyticsType === 'bayesian',
    threshold: experiment.defaultChanceToBeatThreshold ?? 95,
    zone: zoneOf(experiment, results.primaryMetrics[0]),
    failedGuardrail: failed?.metricName,
    hasOpenCondition: conditions.some(({ state }) => state !== 'met'),
    confidence: confidenceOf(experiment, view),
    dataTo: results.ds === null ? undefined : dayLabel(Date.parse(results.ds)),
  };
}

/** Returns the confidence in percent. */
export const confidenceOf = ({ defaultConfidenceInterval }: Experiment, { confidence }: View) =>
  Number(confidence ?? defaultConfidenceInterval);

const zoneOf = ({ smallestChanges }: Experiment, primary: Result | undefined): number | null =>
  smallestChanges.find(({ metricID }) => metricID === primary?.metricID)?.percent ?? null;

/** Returns the name of the correction of each block of the scorecard. */
export function correctionsOf(experiment: Experiment, [first]: Compared[]) {
  const tests = experiment.groups.length - 1;
  const primary = first?.results.primaryMetrics.length ?? 0;
  const secondary = first?.results.secondaryMetrics.length ?? 0;
  const family = experiment.benjaminiPrimaryMetricsOnly ? primary : primary + secondary;
  const names = [
    ...(experiment.bonferroniCorrection && tests > 1 ? [`Bonferroni over ${tests} groups`] : []),
    ...(experiment.bonferroniCorrectionPerMetric ? ['Bonferroni over metrics'] : []),
    ...(experiment.benjaminiHochbergPerMetric ? [`Benjamini–Hochberg over ${family}`] : []),
  ];
  const words = names.join(', ') || 'not corrected';
  return { primary: words, secondary: words, monitoring: 'not corrected' };
}
