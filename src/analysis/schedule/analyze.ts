import { defaultChunkSize, type LoadJob } from '../../platform/scheduled/budget.ts';
import { canLoad, loadNextDay } from '../day/load.ts';
import { canPlan, planWork } from './planning.ts';

type JobTime = Pick<LoadJob, 'db' | 'now' | 'left'>;

/** Plans due work and loads planned days until neither is left, or the budget is spent; the next run continues. */
export async function analyze(run: JobTime, chunkSize = defaultChunkSize): Promise<void> {
  const load: LoadJob = { ...run, chunkSize };
  let hasWork = true;
  while (hasWork) {
    hasWork = canPlan(load) && (await planWork(load));
    while (canLoad(load) && (await loadNextDay(load))) hasWork = true;
  }
}
