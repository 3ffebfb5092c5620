import type { Resource } from '../../platform/resource/resource.ts';
import { auditLogRoutes } from './routes.ts';

export const auditLogResource = { path: 'audit_logs', routes: auditLogRoutes } satisfies Resource;
