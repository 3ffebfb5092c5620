import type { Resource } from '../../platform/resource/resource.ts';
import { webhookRoutes } from './routes.ts';
import { webhooks } from './table.ts';

export const webhookResource = {
  path: 'webhooks',
  kind: webhooks,
  routes: webhookRoutes,
  example: { url: 'https://hooks.shop.example/console' },
} satisfies Resource;
