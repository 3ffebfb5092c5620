import type { Experiment } from '../base/types.ts';

export type HealthStatus = Experiment['healthCheckStatus'];

/** Whether a health check needs attention. */
export const isWrong = (status: HealthStatus) => status === 'FAILED' || status === 'WARNING';
