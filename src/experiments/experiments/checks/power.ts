import { metricID } from '../../../base/naming.ts';
import type { Baseline, GroupUnits } from '../../../engine/statistics/power.ts';
import type { LoadedBaseline } from '../../starts/health.ts';
import type { Experiment } from '../schema.ts';

/** The inputs of an experiment's power. `relativeEffect` and `alpha` are fractions. */
export interface PlannedTest {
  baseline: Baseline;
  relativeEffect: number;
  alpha: number;
  /** In the control group and in the smallest test group, at the planned end. */
  units: GroupUnits;
}

/** Returns the planned test of the first primary metric; undefined without `hypothesizedValue`, a baseline, or two groups. */
export function plannedTest(
  experiment: Experiment,
  baseline: LoadedBaseline | undefined,
): PlannedTest | undefined {
  const { primaryMetrics, groups, controlGroupID, targetExposures, duration } = experiment;
  const [metric] = primaryMetrics;
  const control = groups.find(({ id }) => id === controlGroupID);
  const tests = groups.filter(({ id }) => id !== controlGroupID);
  if (!metric?.hypothesizedValue || !control || tests.length === 0) return undefined;
  if (!baseline || baseline.metricID !== metricID(metric)) return undefined;
  const total = targetExposures ?? duration * baseline.unitsPerDay;
  const smallest = Math.min(...tests.map(({ size }) => size));
  const alpha = (100 - Number(experiment.defaultConfidenceInterval)) / 100;
  return {
    baseline,
    relativeEffect: metric.hypothesizedValue / 100,
    alpha: experiment.bonferroniCorrection ? alpha / tests.length : alpha,
    units: { control: (total * control.size) / 100, test: (total * smallest) / 100 },
  };
}
