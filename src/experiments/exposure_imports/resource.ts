import type { Resource } from '../../platform/resource/resource.ts';
import { exposureRoutes } from './routes.ts';

export const exposureResource = { path: 'exposures', routes: exposureRoutes } satisfies Resource;
