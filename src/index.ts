import { app } from './app.ts';
import type { Platform } from './env.ts';
import { refuseHost } from './http/hosts.ts';
import { purgeReplies } from './http/idempotency.ts';
import { registry } from './registry.ts';
import { countedEvents } from './resources/events/recording.ts';
import { startExperiments } from './resources/experiments/schedule.ts';
import { countedValues } from './resources/metric_values/changing.ts';
import { advanceTriggers } from './resources/release_pipeline_triggers/schedule.ts';
import { kindsOf } from './resources/resource.ts';
import { purgeWebhookDeliveries } from './resources/webhooks/outbox.ts';
import { sendDue } from './resources/webhooks/sending.ts';
import { reindex } from './store/derived/reindex.ts';
import { openDatabase } from './store/sql/database.ts';
import { dropStatistics } from './store/sql/planner_statistics.ts';

export default {
  fetch: (request: Request, env: Platform, context: ExecutionContext) =>
    refuseHost(request.url, env.LOCAL_HOSTS) ?? app.fetch(request, env, context),
  scheduled: async (_event, env) => {
    const db = openDatabase(env.DB, 'first-primary');
    const now = Date.now();
    const changing = [advanceTriggers(db, now), startExperiments(db, now)];
    const done = await Promise.allSettled([
      ...changing,
      purgeReplies(db, now),
      purgeWebhookDeliveries(db, now),
      Promise.allSettled(changing).then(() => sendDue(env)), // including the changes of both
      reindex(db, kindsOf(registry), [countedValues, countedEvents]),
      dropStatistics(db),
    ]);
    // Throws only after all jobs: the runtime cancels pending work when this function ends.
    const failures = done.filter((work) => work.status === 'rejected').map(({ reason }) => reason);
    for (const reason of failures.slice(1)) console.error(`Scheduled work failed: ${reason}`);
    if (failures.length > 0) throw failures[0];
  },
} satisfies ExportedHandler<Platform>;
