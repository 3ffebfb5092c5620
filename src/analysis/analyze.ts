import { defaultChunkSize, type Load } from './job.ts';
import { canLoad, loadNextDay } from './load.ts';
import { canPlan, planWork } from './planning.ts';

type Run = Pick<Load, 'db' | 'now' | 'left'>;

/** Loads analyses until nothing is due, or the budget of the run is spent; the next run continues. */
export async function analyze(run: Run, chunkSize = defaultChunkSize): Promise<void> {
  const load: Load = { ...run, chunkSize };
  while (canLoad(load)) {
    if (await loadNextDay(load)) continue;
    if (!canPlan(load) || !(await planWork(load))) return;
  }
}
