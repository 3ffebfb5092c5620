import { analyze } from '../analysis/schedule/analyze.ts';
import { hasAnalyses } from '../analysis/schedule/planning.ts';
import { hasDueTotals, storeTotals } from '../analysis/schedule/totals.ts';
import { eventTotals } from '../data/events/recording.ts';
import { countedValues } from '../data/metric_values/changing.ts';
import { hasOverdueStarts, startExperiments } from '../experiments/experiments/schedule.ts';
import { hasOldGateChecks, purgeGateChecks } from '../flags/gate_checks/purge.ts';
import { advanceTriggers, hasOverduePhases } from '../flags/releases/schedule.ts';
import { hasOldReplies, purgeReplies } from '../platform/http/idempotency.ts';
import { kindsOf } from '../platform/resource/resource.ts';
import { defaultChunkSize } from '../platform/scheduled/budget.ts';
import { hasPendingKinds, reindex } from '../platform/store/derived/reindex.ts';
import { dropStatistics, hasStatistics } from '../platform/store/sql/planner_statistics.ts';
import {
  hasOldDeliveries,
  hasOverdueDeliveries,
  purgeWebhookDeliveries,
} from '../project/webhooks/outbox.ts';
import { sendDue } from '../project/webhooks/sending.ts';
import { registry } from '../registry.ts';
import { hasDueAutotunes } from '../results/learning/due.ts';
import type { Job } from './job.ts';

/** The scheduled work. The budgets of the jobs add up to 962 round trips, without the rebuild of derived rows. */
export const jobs: readonly Job[] = [
  {
    name: 'release_phases',
    everyMinutes: 1,
    budget: { trips: 330, ms: 20_000 },
    isDue: hasOverduePhases,
    run: ({ db, now }) => advanceTriggers(db, now),
  },
  {
    name: 'experiment_starts',
    everyMinutes: 1,
    budget: { trips: 250, ms: 20_000 },
    isDue: hasOverdueStarts,
    run: ({ db, now }) => startExperiments(db, now),
  },
  {
    name: 'autotunes',
    everyMinutes: 1,
    budget: { trips: 40, ms: 10_000 },
    isDue: hasDueAutotunes,
    run: async (run) => {
      const { learnFromTrials } = await import('../results/learning/run.ts'); // distribution functions are slow to load
      await learnFromTrials({ ...run, chunkSize: defaultChunkSize });
    },
  },
  {
    name: 'webhook_deliveries',
    everyMinutes: 1,
    budget: { trips: 330, ms: 30_000 },
    after: ['release_phases', 'experiment_starts', 'autotunes'], // delivers their changes too
    isDue: hasOverdueDeliveries,
    run: ({ env, db }) => sendDue(env, db),
  },
  {
    name: 'metric_totals',
    everyMinutes: 1,
    budget: { trips: 10, ms: 10_000 },
    isDue: hasDueTotals,
    run: (run) => storeTotals(run),
  },
  {
    name: 'analyses',
    everyMinutes: 1,
    budget: { trips: 20, ms: 10_000 },
    after: ['experiment_starts', 'metric_totals'], // results compare with the totals of their days
    isDue: hasAnalyses,
    run: (run) => analyze(run),
  },
  {
    name: 'old_replies',
    everyMinutes: 1,
    budget: { trips: 10, ms: 60_000 },
    isDue: hasOldReplies,
    run: ({ db, now }) => purgeReplies(db, now),
  },
  {
    name: 'old_deliveries',
    everyMinutes: 1,
    budget: { trips: 10, ms: 60_000 },
    isDue: hasOldDeliveries,
    run: ({ db, now }) => purgeWebhookDeliveries(db, now),
  },
  {
    name: 'old_gate_checks',
    everyMinutes: 1,
    budget: { trips: 10, ms: 60_000 },
    isDue: hasOldGateChecks,
    run: ({ db, now }) => purgeGateChecks(db, now),
  },
  {
    name: 'derived_rows',
    everyMinutes: 1,
    budget: { trips: 900, ms: 300_000 }, // work of a migration only, which has to end
    isDue: () => hasPendingKinds,
    run: ({ db }) => reindex(db, kindsOf(registry), [countedValues, eventTotals]),
  },
  {
    name: 'planner_statistics',
    everyMinutes: 1,
    budget: { trips: 2, ms: 20_000 },
    isDue: () => hasStatistics,
    run: ({ db }) => dropStatistics(db),
  },
];
