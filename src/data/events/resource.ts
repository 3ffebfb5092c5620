import type { Resource } from '../../platform/resource/resource.ts';
import { eventRoutes } from './routes.ts';

export const eventResource = { path: 'events', routes: eventRoutes } satisfies Resource;
