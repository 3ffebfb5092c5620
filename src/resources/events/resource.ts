import type { Resource } from '../resource.ts';
import { eventRoutes } from './routes.ts';

export const eventResource = { path: 'events', routes: eventRoutes } satisfies Resource;
