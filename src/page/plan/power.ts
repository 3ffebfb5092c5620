import { call } from '../base/api.ts';
import type { Experiment } from '../base/types.ts';

export interface Baseline {
  share?: unknown;
  mean?: unknown;
  deviation?: unknown;
  experimentID?: string;
  estimate?: { mean: number; variance: number; isProportion: boolean };
}

interface Units {
  test: number;
  control: number;
  total: number;
}

interface Power {
  baseline: { mean: number; variance: number; isProportion: boolean };
  units: Units | null;
  days: number | null;
  minimumDetectableEffects: { days: number; units: Units; relativeEffect: number | null }[];
  warnings: string[];
}

type BaselineBody = Record<string, number | string>;

/** Returns the request of a baseline; undefined while it is incomplete. */
export function baselineBody(
  baseline: Baseline | undefined,
  metricID: string,
): BaselineBody | undefined {
  const { share, mean, deviation, experimentID, estimate } = baseline ?? {};
  if (experimentID) return { baselineExperimentID: experimentID, metricID };
  if (typeof share === 'number' && share > 0 && share < 100) return { proportion: share / 100 };
  if (mean && deviation && typeof mean === 'number' && typeof deviation === 'number')
    return { mean, variance: deviation ** 2 };
  if (!estimate?.mean || !estimate.variance) return undefined;
  const isShare = estimate.isProportion && estimate.mean < 1;
  return isShare
    ? { proportion: estimate.mean }
    : { mean: estimate.mean, variance: estimate.variance };
}

/** Returns the part of a request that describes the groups; undefined unless two share the units. */
export function groupsBody(experiment: Experiment) {
  const { controlGroupID, bonferroniCorrection, defaultConfidenceInterval } = experiment;
  const groups = experiment.groups.filter(({ disabled, size }) => !disabled && size > 0);
  const total = groups.reduce((sum, { size }) => sum + size, 0);
  const control = groups.find(({ id }) => id === controlGroupID);
  if (groups.length < 2 || !control) return undefined;
  return {
    groups: groups.length,
    controlShare: control.size / total,
    alpha: 1 - Number(defaultConfidenceInterval) / 100,
    bonferroni: bonferroniCorrection,
  };
}

const analyze = async (body: object): Promise<Power> =>
  (await call<Power>({ method: 'POST', path: '/power_analysis', body })).data;

export interface Wish {
  base: object;
  unitsPerDay: number;
  percent?: number;
  days?: number;
}

export interface CurvePoint {
  days: number;
  percent: number | null;
}

export interface Plan {
  percent: number | null;
  days: number | null;
  units: number | null;
  mean: number;
  isProportion: boolean;
  readOnce: CurvePoint[];
  anyDay: CurvePoint[];
  isSkewed: boolean;
}

const effectPercent = (effect: number | null | undefined) =>
  effect === null || effect === undefined ? null : 100 * effect;

const curveOf = ({ minimumDetectableEffects }: Power): CurvePoint[] =>
  minimumDetectableEffects.map(({ days, relativeEffect }) => ({
    days,
    percent: effectPercent(relativeEffect),
  }));

/** Returns the smallest change that is found after some days, in percent; null if there is none. */
export async function foundAfter(base: object, unitsPerDay: number, days: number) {
  const { minimumDetectableEffects, baseline } = await analyze({ ...base, unitsPerDay, days });
  return { percent: effectPercent(minimumDetectableEffects[0]?.relativeEffect), baseline };
}

/** Returns the plan of a wish, with the curves of both ways to read results. */
export async function planOf({ base, unitsPerDay, percent, days }: Wish): Promise<Plan> {
  const relativeEffect = percent === undefined ? undefined : percent / 100;
  const [fixed, sequential, found] = await Promise.all([
    analyze({ ...base, unitsPerDay, relativeEffect }),
    analyze({ ...base, unitsPerDay, sequential: true }),
    days === undefined ? undefined : foundAfter(base, unitsPerDay, days),
  ]);
  return {
    percent: percent ?? found?.percent ?? null,
    days: days ?? fixed.days,
    units: days === undefined ? (fixed.units?.total ?? null) : Math.round(unitsPerDay * days),
    mean: fixed.baseline.mean,
    isProportion: fixed.baseline.isProportion,
    readOnce: curveOf(fixed),
    anyDay: curveOf(sequential),
    isSkewed: fixed.warnings.length > 0,
  };
}
