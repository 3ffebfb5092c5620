import type { Experiment } from '../base/types.ts';

/** Whether a health check needs attention. */
export const isWrong = (status: Experiment['healthCheckStatus']) =>
  status === 'FAILED' || status === 'WARNING';
