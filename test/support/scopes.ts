import type { KeyScope } from '../../src/platform/env.ts';
import { isChange, type Route } from '../../src/platform/openapi/routes.ts';

/** Paths whose operations all need the scope admin. */
const administrative = /^\/console\/v1\/(keys|wh_connections|users|export|import|webhooks)(\/|$)/;

/** Returns the scope that an operation needs. */
export function scopeOf(route: Route): KeyScope {
  if (administrative.test(route.path)) return 'admin';
  if (route.path.startsWith('/console/v1/company') && isChange(route)) return 'admin';
  return isChange(route) ? 'write' : 'read';
}
