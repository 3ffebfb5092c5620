import type { Resource } from '../resource.ts';
import { auditLogRoutes } from './routes.ts';

export const auditLogResource = { path: 'audit_logs', routes: auditLogRoutes } satisfies Resource;
