import type { Experiment } from '../types.ts';

/** Whether a health check needs attention. */
export const isWrong = (status: Experiment['healthCheckStatus']) =>
  status === 'FAILED' || status === 'WARNING';
