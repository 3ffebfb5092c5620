import { describeRoutes } from '../../platform/openapi/words/describe.ts';
import type { auditLogRoutes } from './routes.ts';

describeRoutes<typeof auditLogRoutes>('audit_logs', {
  parameters: {
    'GET /': {
      kind: 'In singular or plural.',
      id: 'Only this ID.',
      action: 'The action.',
      actionType: 'Another name of `action`.',
      actorID: 'The id of the API key that made the change.',
      updatedBy: 'Another name of `actorID`.',
      actorName: 'The name of the API key at the time of the change.',
      requestID: 'Lists all changes of one request: the `requestID` of an entry.',
      startDate: 'From this day, in UTC.',
    },
  },
  operations: {
    'GET /': 'The history of all entities, filtered by kind, ID, action, actor, time or request.',
  },
});
