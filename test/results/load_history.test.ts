import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { planDays } from '../../src/analysis/schedule/planning.ts';
import { readAnalysis } from '../../src/analysis/work/day_tasks.ts';
import { openDatabase } from '../../src/platform/store/sql/database.ts';
import { call, costOf, ok } from '../support/client.ts';
import { makeStartedExperiment } from '../support/factories.ts';

const dayLength = 86_400_000;

/** Plans a load and ends it at once. */
async function planAndEnd(id: string, ds: number, now: number, creatorName: string) {
  const db = openDatabase(env.DB, 'first-primary');
  const { startTime } = await ok('GET', `experiments/${id}`);
  const [[analysis]] = await db.batch(readAnalysis({ kind: 'experiment', id, start: startTime }));
  if (!analysis) throw new Error('no analysis');
  const asked = { creatorName, reloadType: 'incremental' as const };
  await db.batch(...planDays([{ analysis, ds, metrics: [] }], now, asked));
  await env.DB.batch([
    env.DB.prepare('delete from analysis_runs'),
    env.DB.prepare(
      "update analysis_loads set finishedTime = createdTime, finishedState = 'SUCCESS'",
    ),
  ]);
}

test('a long history of loads is read with 50 rows, and has the newest 40', async () => {
  const { id } = await makeStartedExperiment();
  const today = Math.floor(Date.now() / dayLength);
  for (let count = 0; count < 60; count++) await planAndEnd(id, today + count, count, 'Ada');
  const path = `experiments/${id}/pulse_load_history`;
  const answer = await call('GET', `${path}?limit=1&page=40`);
  expect(answer.body.pagination).toMatchObject({ totalItems: 40, nextPage: null });
  expect(answer.data).toMatchObject([{ createdTime: 20, creatorName: 'Ada' }]);
  expect(costOf(answer).trips).toBe(1);
  expect(costOf(answer).read).toBeLessThanOrEqual(3 * 1 + 50);
});

test('refreshes of one day by the scheduler are one load, and those of requests stay', async () => {
  const { id } = await makeStartedExperiment();
  const today = Math.floor(Date.now() / dayLength);
  const loads: [day: number, time: number, creator: string][] = [
    [today, 1, 'Scheduler'],
    [today, 2, 'Ada'],
    [today, 3, 'Scheduler'],
    [today, 4, 'Ada'],
    [today + 1, 5, 'Scheduler'],
    [today + 1, 6, 'Scheduler'],
  ];
  for (const [day, time, creator] of loads) await planAndEnd(id, day, time, creator);
  const found = await ok('GET', `experiments/${id}/pulse_load_history`);
  expect(found.map(({ createdTime }: { createdTime: number }) => createdTime)).toEqual([
    6, 4, 3, 2,
  ]);
});
