import { hasOldReplies, purgeReplies } from '../http/idempotency.ts';
import { eventTotals } from '../resources/events/recording.ts';
import { hasOverdueStarts, startExperiments } from '../resources/experiments/schedule.ts';
import { kinds } from '../resources/kinds.ts';
import { countedValues } from '../resources/metric_values/changing.ts';
import {
  advanceTriggers,
  hasOverduePhases,
} from '../resources/release_pipeline_triggers/schedule.ts';
import {
  hasOldDeliveries,
  hasOverdueDeliveries,
  purgeWebhookDeliveries,
} from '../resources/webhooks/outbox.ts';
import { sendDue } from '../resources/webhooks/sending.ts';
import { hasPendingKinds, reindex } from '../store/derived/reindex.ts';
import { dropStatistics, hasStatistics } from '../store/sql/planner_statistics.ts';
import type { Job } from './job.ts';

/** The scheduled work. D1 accepts 1,000 round trips in a run of the scheduler, for all jobs together. */
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
    name: 'webhook_deliveries',
    everyMinutes: 1,
    budget: { trips: 330, ms: 30_000 },
    after: ['release_phases', 'experiment_starts'], // delivers their changes too
    isDue: hasOverdueDeliveries,
    run: ({ env, db }) => sendDue(env, db),
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
    name: 'derived_rows',
    everyMinutes: 1,
    budget: { trips: 900, ms: 300_000 }, // work of a migration only, which has to end
    isDue: () => hasPendingKinds,
    run: ({ db }) => reindex(db, kinds, [countedValues, eventTotals]),
  },
  {
    name: 'planner_statistics',
    everyMinutes: 1,
    budget: { trips: 2, ms: 20_000 },
    isDue: () => hasStatistics,
    run: ({ db }) => dropStatistics(db),
  },
];
