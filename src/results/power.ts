import type { Context } from 'hono';
import { baselineIn } from '../analysis/pair.ts';
import { isPlanned } from '../analysis/plan/metric.ts';
import {
  readCells,
  readChosen,
  readChosenAnalysis,
  readListedMetrics,
} from '../analysis/stored.ts';
import type { Service } from '../env.ts';
import { Problem } from '../problem.ts';
import { normalQuantile } from '../statistics/distributions.ts';
import { finite } from '../statistics/finite.ts';
import {
  type Baseline,
  type Design,
  type GroupUnits,
  minimumDetectableEffect,
  sampleSize,
  sequentialSampleSize,
} from '../statistics/power.ts';
import { mixingVariance, sequentialCriticalValue } from '../statistics/sequential.ts';
import type { PowerBody } from './power_schema.ts';
import { requireMetric, runOf, selectionOf, withExperiment } from './runs.ts';
import { subjectsOf } from './subject.ts';

const [daysOfWeek, maxWeeks] = [7, 8];

const defaultTuningUnits = 5000;

async function baselineFrom(c: Context<Service>, id: string, metricID: string): Promise<Baseline> {
  const selection = selectionOf(id, { rollup: -1, sequential: false });
  const [experiment, [[chosen], [stored], metrics, cells]] = await withExperiment(c, id, (tx) =>
    tx.read(
      readChosen(selection),
      readChosenAnalysis(selection),
      readListedMetrics(selection, metricID),
      readCells(selection),
    ),
  );
  const analysis = runOf(experiment, stored, undefined);
  requireMetric(analysis, metricID);
  const subject = subjectsOf(analysis, metrics, experiment).find((one) => one.id === metricID);
  const cell = cells.find(
    ({ metric, group, ds }) =>
      metric === metricID && group === analysis.control && ds === chosen?.ds,
  );
  const baseline = subject && isPlanned(subject.plan) && baselineIn(cell, subject.plan);
  if (!baseline) throw Problem.property('baselineExperimentID', `must have results of ${metricID}`);
  return baseline;
}

async function baselineOf(c: Context<Service>, body: PowerBody): Promise<Baseline> {
  const { mean = 0, variance = 0, proportion, baselineExperimentID, metricID } = body;
  if (proportion !== undefined)
    return { mean: proportion, variance: proportion * (1 - proportion), isProportion: true };
  if (baselineExperimentID !== undefined && metricID !== undefined)
    return baselineFrom(c, baselineExperimentID, metricID);
  return { mean, variance, isProportion: false };
}

const whole = ({ test, control }: GroupUnits, testGroups: number) => ({
  test: Math.ceil(test),
  control: Math.ceil(control),
  total: Math.ceil(test) * testGroups + Math.ceil(control),
});

/** At one look, as a share of the mean. */
function sequentialEffect(
  baseline: Baseline,
  units: GroupUnits,
  design: Design,
  mixing: number,
): number | null {
  const critical = sequentialCriticalValue(units.test + units.control, mixing, design.alpha);
  const fixed = minimumDetectableEffect(baseline, units, design);
  if (critical === null || fixed === null) return null;
  const z = -normalQuantile(1 - design.power);
  return finite((fixed * (critical + z)) / (z - normalQuantile(design.alpha / 2)));
}

/** Returns how many units an experiment needs, or which effects it finds. @throws Problem 400, 404, 409 */
export async function powerAnalysis(c: Context<Service>, body: PowerBody) {
  const { groups = 2, power = 0.8, relativeEffect, unitsPerDay, days, sequential = false } = body;
  const testGroups = groups - 1;
  const controlShare = body.controlShare ?? 1 / groups;
  const testShare = (1 - controlShare) / testGroups;
  const alpha = (body.alpha ?? 0.05) / (body.bonferroni ? testGroups : 1);
  const design: Design = { alpha, power };
  const baseline = await baselineOf(c, body);
  const mixing = mixingVariance(body.alpha ?? 0.05, defaultTuningUnits);
  const controlPerTest = controlShare / testShare;
  const needed =
    relativeEffect === undefined
      ? null
      : sequential
        ? sequentialSampleSize(baseline, relativeEffect, design, controlPerTest, mixing)
        : sampleSize(baseline, relativeEffect, design, controlPerTest);
  if (relativeEffect !== undefined && !needed)
    throw Problem.property('relativeEffect', 'must be an effect that this baseline can have');
  const units = needed && whole(needed, testGroups);
  const spans =
    days === undefined
      ? Array.from({ length: maxWeeks }, (_, week) => (week + 1) * daysOfWeek)
      : [days];
  const effects = (unitsPerDay === undefined ? [] : spans).map((span) => {
    const total = span * (unitsPerDay ?? 0);
    const own: GroupUnits = { test: total * testShare, control: total * controlShare };
    const effect = sequential
      ? sequentialEffect(baseline, own, design, mixing)
      : minimumDetectableEffect(baseline, own, design);
    return { days: span, units: { ...own, total }, relativeEffect: effect };
  });
  return {
    baseline,
    alpha,
    units,
    days: units && unitsPerDay ? Math.ceil(units.total / unitsPerDay) : null,
    minimumDetectableEffects: effects,
    // An effect that multiplies a skewed metric raises its variance too: a power of 80% is then about 74%.
    warnings: baseline.isProportion ? [] : ['skewed_metrics_need_more_units'],
  };
}
