import type { Route } from '../../src/platform/openapi/routes.ts';
import { registry } from '../../src/registry.ts';
import { base, each } from './client.ts';
import { shapeOf } from './shapes.ts';

/** Whether an operation responds with pages. */
export const isList = ({ method, operation }: Route) =>
  method === 'GET' && 'pagination' in shapeOf(operation.response);

/** Returns the generic handler that builds a list, or the path of a list with a handler of its own. */
function builderOf({ path }: Route): string {
  const own = path.slice(base.length + 1);
  if (own.endsWith('/versions')) return 'versions';
  if (own.endsWith('_references')) return 'referrers';
  if (/^(tags|teams|target_apps|unit_id_types|users)$/.test(own)) return 'names';
  return registry.some(({ kind, path: of }) => kind && of === own) ? 'list' : own;
}

/** One list of each builder, with the name of the builder. */
export const listsByBuilder = [
  ...new Map(each(isList).map(([, route]) => [builderOf(route), route])),
];
