import { normalQuantile } from '../../../src/engine/statistics/distributions.ts';
import { plainEstimates } from '../../../src/engine/statistics/estimates.ts';
import {
  type Moments,
  mergeMoments,
  momentsOf,
  noMoments,
} from '../../../src/engine/statistics/moments.ts';
import {
  mixingVariance,
  plannedEndShare,
  sequentialCriticalValue,
} from '../../../src/engine/statistics/sequential.ts';
import { sprtOf } from '../../../src/engine/statistics/sprt.ts';
import { type Method, shares } from './method.ts';
import type { Random } from './random.ts';
import { normalMoments } from './samples.ts';

const alpha = 0.05;
const rare = [0, 5] as const;

/** Returns the change in standard errors; compare would also compute its p-value, which no look needs. */
function zOf(control: Moments, test: Moments): number {
  const { change, fromControl, fromTest } = plainEstimates(control, test);
  return change / Math.sqrt(fromControl + fromTest);
}

const criticalAt = (units: number, tuningUnits: number): number =>
  sequentialCriticalValue(units, mixingVariance(alpha, tuningUnits), alpha) ??
  Number.POSITIVE_INFINITY;

/** Returns whether an always-valid test finds a change at any of some looks, with so many units a group at each. */
function findsAtLooks(
  random: Random,
  looks: number,
  perLook: number,
  tuningUnits: number,
): boolean {
  let [control, test] = [noMoments, noMoments];
  for (let look = 1; look <= looks; look++) {
    control = mergeMoments(control, normalMoments(random, perLook));
    test = mergeMoments(test, normalMoments(random, perLook));
    if (Math.abs(zOf(control, test)) >= criticalAt(2 * look * perLook, tuningUnits)) return true;
  }
  return false;
}

const alwaysValid: Method = {
  runs: 10_000,
  simulate: (random, runs) =>
    shares(
      runs,
      {
        'sequential, 14 looks': rare,
        'sequential, 99 looks': rare,
        'sequential, tuned to ten times too few units': rare,
        'simultaneous coverage over 14 looks': [95, 100],
      },
      () => {
        const isFound = findsAtLooks(random, 14, 180, 5000);
        return {
          'sequential, 14 looks': isFound,
          'simultaneous coverage over 14 looks': !isFound,
          'sequential, 99 looks': findsAtLooks(random, 99, 25, 5000),
          'sequential, tuned to ten times too few units': findsAtLooks(random, 14, 180, 500),
        };
      },
    ),
};

/** Returns the totals of a growing group after each of some days: all units add to their totals each day. */
function growing(random: Random, days: number, perDay: number): Moments[] {
  const units: { level: number; y: number }[] = [];
  return Array.from({ length: days }, () => {
    for (let unit = 0; unit < perDay; unit++) units.push({ level: random.normal(), y: 0 });
    for (const unit of units) unit.y += 1 + 0.5 * unit.level + random.normal();
    return momentsOf(units);
  });
}

const arriving: Method = {
  runs: 4000,
  simulate: (random, runs) =>
    shares(runs, { 'sequential, totals that grow, units arriving, 14 looks': rare }, () => {
      const [control, test] = [growing(random, 14, 20), growing(random, 14, 20)];
      return {
        'sequential, totals that grow, units arriving, 14 looks': control.some(
          (moments, day) =>
            Math.abs(zOf(moments, test[day] ?? noMoments)) >= criticalAt(2 * moments.n, 560),
        ),
      };
    }),
};

/** Returns what a path of z finds over some looks: the drift is the expected z at the last look. */
function path(random: Random, looks: readonly number[], drift: number) {
  const steps = looks.length;
  let sum = 0;
  let always = false;
  for (const [step, critical] of looks.entries()) {
    sum += random.normal() + drift / Math.sqrt(steps);
    if (step < steps - 1 && Math.abs(sum) >= critical * Math.sqrt(step + 1)) always = true;
  }
  const z = Math.abs(sum) / Math.sqrt(steps);
  return {
    always: always || z >= (looks[steps - 1] ?? 0),
    fixed: z >= -normalQuantile(alpha / 2),
    both: always || z >= -normalQuantile((alpha * plannedEndShare) / 2),
  };
}

/** Returns the critical values at some looks until the planned number of units, to which the test is tuned. */
const criticalValues = (looks: number): number[] =>
  Array.from({ length: looks }, (_, look) => criticalAt((5000 * (look + 1)) / looks, 5000));

const plannedEnd: Method = {
  runs: 200_000,
  simulate: (random, runs) => {
    const [few, many] = [criticalValues(14), criticalValues(60)];
    return shares(
      runs,
      {
        'sequential then fixed, 14 looks': [0, 5.2],
        'sequential then fixed, 60 looks': [0, 5.2],
      },
      () => ({
        'sequential then fixed, 14 looks': path(random, few, 0).both,
        'sequential then fixed, 60 looks': path(random, many, 0).both,
      }),
    );
  },
};

const power: Method = {
  runs: 20_000,
  simulate: (random, runs) => {
    const looks = criticalValues(14);
    const drift = -normalQuantile(alpha / 2) - normalQuantile(0.2);
    return shares(
      runs,
      {
        'power where fixed has 80%: fixed': [78, 83],
        'power where fixed has 80%: sequential only': [45, 100],
        'power where fixed has 80%: sequential then fixed': [77, 81],
      },
      () => {
        const { fixed, always, both } = path(random, looks, drift);
        return {
          'power where fixed has 80%: fixed': fixed,
          'power where fixed has 80%: sequential only': always,
          'power where fixed has 80%: sequential then fixed': both,
        };
      },
    );
  },
};

/** Returns whether a likelihood ratio test of an effect of 0.1 ends with the alternative; a look each 20 units. */
function sprt(random: Random, effect: number): boolean {
  const perLook = 10;
  let sum = 0;
  for (let n = perLook; n < 100_000; n += perLook) {
    sum += perLook * effect + random.normal() * Math.sqrt(2 * perLook);
    const z = sum / Math.sqrt(2 * n);
    const result = sprtOf({ z, controlUnits: n, testUnits: n, cohensD: 0.1, alpha, power: 0.8 });
    if (result && result.decision !== 'continue') return result.decision === 'alternative';
  }
  return false;
}

const likelihoodRatio: Method = {
  runs: 10_000,
  simulate: (random, runs) =>
    shares(runs, { 'SPRT, false alternative': rare, 'SPRT, power at 80%': [78, 100] }, () => ({
      'SPRT, false alternative': sprt(random, 0),
      'SPRT, power at 80%': sprt(random, 0.1),
    })),
};

export const sequentialMethods: Method[] = [
  alwaysValid,
  arriving,
  plannedEnd,
  power,
  likelihoodRatio,
];
