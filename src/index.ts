import { app } from './app.ts';
import type { Platform } from './platform/env.ts';
import { refuseHost } from './platform/http/hosts.ts';
import { jobs } from './scheduled/jobs.ts';
import { runJobs } from './scheduled/run.ts';

export default {
  fetch: (request: Request, env: Platform, context: ExecutionContext) =>
    refuseHost(request.url, env.LOCAL_HOSTS) ?? app.fetch(request, env, context),
  scheduled: (_event, env) => runJobs(jobs, env),
} satisfies ExportedHandler<Platform>;
