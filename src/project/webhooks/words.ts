import { describe, describeRoutes } from '../../platform/openapi/words/describe.ts';
import { webhookBodies } from './body_schema.ts';
import type { webhookRoutes } from './routes.ts';
import { deliveryResponse, webhookResponse, webhookWithSecretResponse } from './schema.ts';

const { create, patch } = webhookBodies([]);

describe([create, patch], {
  url: 'The URL of deliveries: only https, and no address of a private network.',
  kinds: 'Kinds of the audit log, in singular or plural, to notify about; all if empty.',
  actions: 'Actions of the audit log to notify about; all if empty.',
  secret: 'The key that signs deliveries; generated if missing.',
});

describe([webhookWithSecretResponse, webhookResponse], {
  url: 'The URL of deliveries.',
  kinds: 'The kinds to notify about; empty for all.',
  actions: 'The actions to notify about; empty for all.',
  secret: 'The secret that signs deliveries, returned only once.',
});

describe(deliveryResponse, {
  id: 'The webhook-id of its requests.',
  entityID: 'The ID of the changed entity.',
  version: 'The version that the change created.',
  status: 'The status of the delivery.',
  attempts: 'The number of attempts.',
  nextTime: 'The time of the next attempt; null if there is none.',
  lastTime: 'The last attempt, in epoch milliseconds.',
  lastError: 'Why the last attempt failed.',
});

describeRoutes<typeof webhookRoutes>('webhooks', {
  parameters: {
    'PUT /:id/deliveries/:deliveryID/resend': {
      deliveryID: 'The id of the delivery.',
    },
  },
  operations: {
    'POST /':
      'The URL must be https and public. Deliveries are signed per Standard Webhooks, with the secret in the response.',
    'GET /:id/deliveries': 'The last 30 days, with status and response.',
    'PUT /:id/deliveries/:deliveryID/resend': 'Restarts its attempts, under the same `webhook-id`.',
  },
});
