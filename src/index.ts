import { app } from './app.ts';
import type { Platform } from './env.ts';
import { purgeReplies } from './http/idempotency.ts';
import { openDatabase } from './store/database.ts';

export default {
  fetch: app.fetch,
  scheduled: async (_event, env) =>
    await purgeReplies(openDatabase(env.DB, 'first-primary'), Date.now()),
} satisfies ExportedHandler<Platform>;
