import type { Context } from 'hono';
import type * as z from 'zod';
import { baselineIn } from '../../analysis/day/pair.ts';
import { isPlanned } from '../../analysis/plan/metric.ts';
import {
  readCells,
  readChosen,
  readChosenAnalysis,
  readListedMetrics,
} from '../../analysis/read/stored.ts';
import { Problem } from '../../base/problem.ts';
import { normalQuantile } from '../../engine/statistics/distributions.ts';
import { finite } from '../../engine/statistics/finite.ts';
import {
  type Baseline,
  type Design,
  type GroupUnits,
  minimumDetectableEffect,
  minUnits,
  sampleSize,
  sequentialSampleSize,
} from '../../engine/statistics/power.ts';
import { mixingVariance, sequentialCriticalValue } from '../../engine/statistics/sequential.ts';
import { defaultTuningUnits } from '../../experiments/experiments/analysis.ts';
import type { Service } from '../../platform/env.ts';
import { requireMetric, runOf, selectionOf, withExperiment } from '../base/starts.ts';
import { subjectsOf } from '../base/subject.ts';
import {
  defaultAlpha,
  defaultPower,
  maxEffect,
  type PowerBody,
  type powerResponse,
} from './power_schema.ts';

const [daysOfWeek, maxWeeks] = [7, 8];

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
  const rule = `must have results of ${metricID}`;
  if (!baseline) throw Problem.property('baselineExperimentID', rule);
  const { mean, variance } = baseline;
  if (!finite(mean) || !finite(variance))
    throw Problem.property(
      'baselineExperimentID',
      `${rule} with a mean and a variance other than 0`,
    );
  return baseline;
}

async function requestedBaseline(c: Context<Service>, body: PowerBody): Promise<Baseline> {
  const { mean = 0, variance = 0, proportion, baselineExperimentID, metricID } = body;
  if (proportion !== undefined)
    return { mean: proportion, variance: proportion * (1 - proportion), isProportion: true };
  if (baselineExperimentID !== undefined && metricID !== undefined)
    return baselineFrom(c, baselineExperimentID, metricID);
  return { mean, variance, isProportion: false };
}

function wholeUnits(needed: GroupUnits, testGroups: number) {
  const atLeast = (units: number) => Math.max(minUnits, Math.ceil(units));
  const [test, control] = [atLeast(needed.test), atLeast(needed.control)];
  return { test, control, total: test * testGroups + control };
}

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

type DetectableEffect = z.output<typeof powerResponse>['minimumDetectableEffects'][number];

function foundEffect(
  { mean, isProportion }: Baseline,
  { test, control }: GroupUnits,
  effect: number | null,
): Pick<DetectableEffect, 'relativeEffect' | 'reason'> {
  const none = (reason: DetectableEffect['reason']) => ({ relativeEffect: null, reason });
  if (Math.min(test, control) < minUnits) return none('too_few_units');
  if (effect === null || effect > maxEffect) return none('baseline_near_zero');
  if (isProportion && effect > Math.max(1, 1 / mean - 1)) return none('too_few_units');
  return effect > 0 ? { relativeEffect: effect, reason: null } : none('zero_variance');
}

function impossible({ mean, isProportion }: Baseline, relativeEffect: number): Problem {
  const rate = mean * (1 + relativeEffect);
  return Problem.property(
    'relativeEffect',
    isProportion && (rate < 0 || rate > 1)
      ? `must leave a proportion between 0 and 1; it turns ${mean} into ${rate}`
      : 'must be larger, because it needs more than 10^12 units',
  );
}

/** Returns how many units an experiment needs, or which effects it finds. @throws Problem 400, 404, 409 */
export async function powerAnalysis(c: Context<Service>, body: PowerBody) {
  const { groups = 2, relativeEffect, unitsPerDay, days, sequential = false } = body;
  const { alpha: wholeAlpha = defaultAlpha, power = defaultPower } = body;
  const testGroups = groups - 1;
  const controlShare = body.controlShare ?? 1 / groups;
  const testShare = (1 - controlShare) / testGroups;
  const alpha = wholeAlpha / (body.bonferroni ? testGroups : 1);
  const design: Design = { alpha, power };
  const baseline = await requestedBaseline(c, body);
  const mixing = mixingVariance(wholeAlpha, defaultTuningUnits);
  const controlPerTest = controlShare / testShare;
  const needed =
    relativeEffect === undefined
      ? null
      : sequential
        ? sequentialSampleSize(baseline, relativeEffect, design, controlPerTest, mixing)
        : sampleSize(baseline, relativeEffect, design, controlPerTest);
  if (relativeEffect !== undefined && !needed) throw impossible(baseline, relativeEffect);
  const units = needed && wholeUnits(needed, testGroups);
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
    return { days: span, units: { ...own, total }, ...foundEffect(baseline, own, effect) };
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
