import { app } from './app.ts';
import type { Platform } from './env.ts';
import { purgeReplies } from './http/idempotency.ts';
import { countedEvents } from './resources/events/recording.ts';
import { startExperiments } from './resources/experiments/schedule.ts';
import { purgeDeliveries } from './resources/exposures/delivering.ts';
import { kinds } from './resources/kinds.ts';
import { countedValues } from './resources/metric_values/changing.ts';
import { advanceTriggers } from './resources/release_pipeline_triggers/schedule.ts';
import { purgeWebhookDeliveries } from './resources/webhooks/outbox.ts';
import { sendDue } from './resources/webhooks/sending.ts';
import { openDatabase } from './store/database.ts';
import { reindex } from './store/reindex.ts';

export default {
  fetch: app.fetch,
  scheduled: async (_event, env) => {
    const db = openDatabase(env.DB, 'first-primary');
    const now = Date.now();
    await Promise.all([
      advanceTriggers(db, now),
      startExperiments(db, now),
      purgeReplies(db, now),
      purgeDeliveries(db, now),
      purgeWebhookDeliveries(db, now),
      sendDue(env),
      reindex(db, kinds, [countedValues, countedEvents]),
    ]);
  },
} satisfies ExportedHandler<Platform>;
