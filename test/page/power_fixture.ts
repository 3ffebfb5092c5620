import type { Page } from 'playwright-core';
import {
  minimumDetectableEffect,
  sampleSize,
  sequentialSampleSize,
} from '../../src/engine/statistics/power.ts';

interface PowerBody {
  proportion?: number;
  mean?: number;
  variance?: number;
  controlShare: number;
  alpha: number;
  unitsPerDay: number;
  relativeEffect?: number;
  days?: number;
  sequential?: boolean;
}

/** How much larger an effect has to be to be found on any day. */
const anyDayFactor = 1.27;

/** Computes a response of `power_analysis` for two groups. */
function powerOf(body: PowerBody) {
  const { proportion, mean = proportion ?? 0, controlShare, unitsPerDay, relativeEffect } = body;
  const variance = proportion ? proportion * (1 - proportion) : (body.variance ?? 0);
  const baseline = { mean, variance, isProportion: proportion !== undefined };
  const design = { alpha: body.alpha, power: 0.8 };
  const perTest = controlShare / (1 - controlShare);
  const sizes = body.sequential
    ? relativeEffect && sequentialSampleSize(baseline, relativeEffect, design, perTest, 0.001)
    : relativeEffect && sampleSize(baseline, relativeEffect, design, perTest);
  const total = sizes ? Math.ceil(sizes.test) + Math.ceil(sizes.control) : 0;
  const spans = body.days ? [body.days] : [7, 14, 21, 28, 35, 42, 49, 56];
  return {
    baseline,
    alpha: body.alpha,
    units: sizes ? { ...sizes, total } : null,
    days: sizes ? Math.ceil(total / unitsPerDay) : null,
    minimumDetectableEffects: spans.map((days) => {
      const units = {
        test: days * unitsPerDay * (1 - controlShare),
        control: days * unitsPerDay * controlShare,
      };
      const effect = minimumDetectableEffect(baseline, units, design) ?? 0;
      return {
        days,
        units: { ...units, total: days * unitsPerDay },
        relativeEffect: effect * (body.sequential ? anyDayFactor : 1),
      };
    }),
    warnings: proportion ? [] : ['skewed_metrics_need_more_units'],
  };
}

/** Responds to power analyses, and returns their bodies. */
export async function routePower(page: Page): Promise<PowerBody[]> {
  const bodies: PowerBody[] = [];
  await page.route('**/console/v1/power_analysis', async (route) => {
    const body: PowerBody = route.request().postDataJSON();
    bodies.push(body);
    await route.fulfill({ json: { message: 'Computed successfully.', data: powerOf(body) } });
  });
  return bodies;
}
