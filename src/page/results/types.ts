/** The bounds of an interval; null if it is unbounded there. */
export interface Interval {
  lower: number | null;
  upper: number | null;
}

/** The result of one metric for one test group, as `pulse_results` returns it. */
export interface Result {
  metricID: string;
  metricName: string;
  directionality: 'increase' | 'decrease';
  testMean: number | null;
  controlMean: number | null;
  testUnits: number | null;
  controlUnits: number | null;
  absoluteChange: number | null;
  confidenceInterval: Interval | null;
  percentChange: number | null;
  percentConfidenceInterval: Interval | null;
  pValue: number | null;
  adjustedAlpha: number | null;
  adjustedPValue: number | null;
  reversePower: number | null;
  percentSequentialTestingConfidenceInterval: Interval | null;
  winsorizationThreshold: number | null;
  absoluteToplineImpact: number | null;
  cuped: {
    applied: boolean;
    theta: number | null;
    varianceReduction: number | null;
    reason: string | null;
  } | null;
  bayesian: {
    chanceToBeat: number | null;
    lower: number | null;
    upper: number | null;
    expectedLoss: number | null;
  } | null;
  significant: boolean;
  significanceBasis: 'fixed' | 'sequential' | 'bayesian' | 'sprt';
  warnings: string[];
  reason: string | null;
}

/** The response of `pulse_results`. */
export interface PulseResults {
  ds: string | null;
  preliminary: boolean;
  loadedTime?: number | null;
  primaryMetrics: Result[];
  secondaryMetrics: Result[];
  otherMetrics: Result[];
}
