import type { Result } from './types.ts';

/** One health check of an experiment. */
export interface HealthCheck {
  name: string;
  status: 'PASSED' | 'WARNING' | 'FAILED' | 'WAITING';
  description: string;
}

interface GroupUnits {
  groupID: string;
  units: number;
}

/** The response of `health`. Shares are percentages. */
export interface Health {
  healthCheckStatus: HealthCheck['status'];
  healthChecks: HealthCheck[];
  exposures: { units: number; perDay: number; lastTime: number | null };
  balance: {
    pValue: number | null;
    alwaysValidPValue: number | null;
    groups: (GroupUnits & { groupName: string; expectedShare: number; observedShare: number })[];
    days: { ds: string; groups: GroupUnits[] }[];
    dimensions: {
      dimension: string;
      dimension_value: string;
      pValue: number | null;
      groups: GroupUnits[];
    }[];
  };
  crossovers: { units: number; share: number };
  metrics: {
    metricID: string;
    metricName: string;
    upTo: string | null;
    lateEvents: number;
    problem: string | null;
  }[];
}

/** One group of `cumulative_exposures`. */
export interface GroupExposures {
  groupID: string;
  groupName: string;
  results: { date: string; exposures: number }[];
}

/** The response of `pulse_series`. */
export interface PulseSeries {
  metricID: string;
  view: 'cumulative' | 'daily' | 'days_since_exposure';
  points: (Result & { ds?: string; day?: number })[];
}

/** One metric of `pulse_sparks`. */
export interface Spark {
  metricID: string;
  points: { ds: string; percentChange: number | null }[];
}

/** The response of `pulse_metric_result`. */
export interface MetricResult {
  ds: string | null;
  dimensionResults: { dimension: string | null; dimension_value: string | null; metric: Result }[];
}
