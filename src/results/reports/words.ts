import { describe, describeRoutes } from '../../platform/openapi/words/describe.ts';
import type { reportRoutes } from './report_routes.ts';
import { reportLink } from './report_schema.ts';

describe(reportLink, { url: 'A path of this API that responds with CSV.' });

const date = 'The day (UTC).';

describeRoutes<typeof reportRoutes>('reports', {
  parameters: {
    'GET /': { type: 'What the report is about.', date },
    'GET /:type': { type: 'The type of the report.', date },
  },
});
