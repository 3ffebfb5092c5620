import type { MetricPlan } from '../../analysis/plan/plan.ts';
import type { StoredCell, StoredPair } from '../../analysis/read/stored.ts';
import type { Result } from '../base/schema.ts';

function stepRate(cell: StoredCell | undefined, step: number): number | null {
  const steps = cell?.moments.steps ?? [];
  const [before = 0, after = 0] = [steps[step - 1], steps[step]];
  return before > 0 ? after / before : null;
}

function secondsOf(cell: StoredCell | undefined): number | null {
  const { n = 0, meanY = 0 } = cell?.moments.seconds ?? {};
  return n > 0 ? meanY : null;
}

/** Returns the steps of a funnel; null for another metric. */
export function funnelOf(plan: MetricPlan, { control, test }: StoredPair): Result['funnel'] {
  if (plan.type !== 'funnel') return null;
  return {
    stepRates: plan.steps.slice(1).map((_, index) => ({
      test: stepRate(test, index + 1),
      control: stepRate(control, index + 1),
    })),
    timeToConvert: plan.measuresTime
      ? { test: secondsOf(test), control: secondsOf(control) }
      : null,
  };
}
