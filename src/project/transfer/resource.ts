import type { Resource } from '../../platform/resource/resource.ts';
import { exportRoutes, importRoutes } from './routes.ts';

export const exportResource = { path: 'export', routes: exportRoutes } satisfies Resource;

export const importResource = { path: 'import', routes: importRoutes } satisfies Resource;
