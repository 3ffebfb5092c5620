import { counted } from '../../base/english.ts';
import { sumOf } from '../../base/numbers.ts';
import type { LoadedCheck } from '../../experiments/starts/health.ts';
import type { Start } from '../../experiments/starts/table.ts';
import type { StoredMoments } from '../base/cells.ts';
import type { ExposureCell } from '../base/exposures.ts';
import { isPlanned } from '../plan/metric.ts';
import { type Plans, scorecard } from '../work/plans.ts';
import { comparedMoments, comparePast, isBinary } from './pair.ts';

interface GroupMoments {
  metric: string;
  group: string;
  moments: StoredMoments;
}

const most = { early: 1, crossovers: { passed: 1, warning: 5 } };

export const biasThreshold = 0.01;

const shareText = (share: number) => `${Number(share.toPrecision(2))}%`;

const ofAllUnits = (exposures: readonly ExposureCell[]) =>
  exposures.filter(({ dimension }) => dimension === '');

function exposureTimes(exposures: readonly ExposureCell[]): LoadedCheck[] {
  const units = sumOf(exposures.map(({ cumulative }) => cumulative));
  const share = (100 * sumOf(exposures.map(({ early }) => early))) / units;
  if (!(share > most.early)) return [];
  const description = `${shareText(share)} of the units were exposed more than a day before the start. Start the experiment with its actual start time.`;
  return [{ name: 'Exposures', status: 'WARNING', description }];
}

function crossover(exposures: readonly ExposureCell[]): LoadedCheck {
  const name = 'Crossover';
  const crossovers = exposures.find(({ group }) => group === '')?.crossovers ?? 0;
  const units = crossovers + sumOf(exposures.map(({ cumulative }) => cumulative));
  if (units === 0)
    return { name, status: 'WAITING', description: 'No exposures have been loaded.' };
  const share = (100 * crossovers) / units;
  const found = counted(crossovers, 'unit was', 'units were');
  const description = `${found} exposed to several groups (${shareText(share)}), and left out.`;
  if (share < most.crossovers.passed) return { name, status: 'PASSED', description };
  return { name, status: share < most.crossovers.warning ? 'WARNING' : 'FAILED', description };
}

const hasEvents = ({ moments: { meanY = 0, yy = 0, percentile } }: GroupMoments): boolean =>
  percentile ? percentile.events > 0 : meanY !== 0 || yy !== 0;

function controlBaseline({ analysis, plans, cells, exposures, days }: Findings) {
  const [metric = ''] = analysis.settings.primaryMetrics;
  const plan = plans.get(metric);
  const cell = cells.find((one) => one.metric === metric && one.group === analysis.control);
  if (!cell || !plan || !isPlanned(plan) || plan.type === 'percentile') return undefined;
  const { n, meanY, yy } = comparedMoments(cell, plan);
  if (n < 2) return undefined;
  const units = sumOf(ofAllUnits(exposures).map(({ cumulative }) => cumulative));
  return {
    ...{ metricID: metric, mean: meanY, variance: yy / (n - 1), isProportion: isBinary(plan) },
    unitsPerDay: units / days,
  };
}

function metricEvents(findings: Findings): LoadedCheck {
  const name = 'Metrics';
  const { analysis, cells } = findings;
  const { primaryMetrics } = analysis.settings;
  if (primaryMetrics.length === 0)
    return { name, status: 'WAITING', description: 'There is no primary metric.' };
  const without = primaryMetrics.filter(
    (metric) => !cells.some((cell) => cell.metric === metric && hasEvents(cell)),
  );
  const baseline = controlBaseline(findings);
  const check: LoadedCheck =
    without.length === 0
      ? { name, status: 'PASSED', description: 'Each primary metric has events.' }
      : { name, status: 'WARNING', description: `There are no events of ${without.join(', ')}.` };
  return baseline ? { ...check, baseline } : check;
}

function pastPValues(
  metric: string,
  { analysis, plans, cells }: Findings,
): { metric: string; p: number }[] {
  const plan = plans.get(metric);
  if (!plan || !isPlanned(plan) || plan.type === 'percentile') return [];
  const cellOf = (id: string) => cells.find((cell) => cell.metric === metric && cell.group === id);
  const control = cellOf(analysis.control);
  return analysis.groups
    .filter(({ id }) => id !== analysis.control)
    .flatMap(({ id }) => {
      const { pValue } = comparePast(plan, { control, test: cellOf(id) });
      return pValue === null ? [] : [{ metric, p: pValue }];
    });
}

function preExperimentBias(findings: Findings): LoadedCheck {
  const name = 'Pre-Experiment Bias';
  const compared = scorecard(findings.analysis.settings).flatMap((metric) =>
    pastPValues(metric, findings),
  );
  if (compared.length === 0)
    return { name, status: 'WAITING', description: 'No metric has events before the exposure.' };
  const biased = new Set(compared.filter(({ p }) => p < biasThreshold).map(({ metric }) => metric));
  return biased.size === 0
    ? { name, status: 'PASSED', description: 'The groups were alike before the exposure.' }
    : {
        name,
        status: 'WARNING',
        description: `The groups differed before the exposure in ${[...biased].join(', ')} (p < ${biasThreshold}).`,
      };
}

export interface Findings {
  analysis: Start;
  plans: Plans;
  cells: readonly GroupMoments[];
  exposures: readonly ExposureCell[];
  days: number;
}

/** Returns the health checks that follow from a loaded day. */
export function loadedChecks(findings: Findings): LoadedCheck[] {
  const exposures = ofAllUnits(findings.exposures);
  return [
    ...exposureTimes(exposures),
    crossover(exposures),
    metricEvents(findings),
    preExperimentBias(findings),
  ];
}
