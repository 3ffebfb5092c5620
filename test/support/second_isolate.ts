import { onTestFinished } from 'vitest';
import { forgetCounts } from '../../src/delivery/serving/count.ts';
import { forgetSnapshot } from '../../src/delivery/serving/current.ts';
import worker from '../../src/index.ts';

/** Returns the Worker that this module imports, with an empty memory. */
export function startWorker() {
  forgetSnapshot();
  onTestFinished(forgetCounts); // their write would reach a later test
  return worker;
}
