import { memberOf } from '../../src/base/value_types.ts';
import { isChange, type Route } from '../../src/platform/openapi/routes.ts';

const readsNothing = 'it reads nothing';
const streams = 'it reads its start and a page; the rest is streamed';
const loads = 'it loads the present day within the request';
const checksNames = 'it checks whether a removed name is in use';
const readsMembers = 'it reads what its members depend on';
const readsLayer = 'it reads the layer, and then the experiments there';
const findsMentions = 'it finds the uses of another name, and of one that is not registered';
const follows = 'it reads the trigger, then its gate';
const mayEnter = 'it reads the trigger, and then the gate that enters another phase';

/** The round trips of a success that stores or reads something: of a simple case, and their bounds. */
interface Trips {
  usual: number;
  least: number;
  most: number;
}

const exactly = (usual: number): Trips => ({ usual, least: usual, most: usual });
const upTo = (most: number, usual = 2): Trips => ({ usual, least: 2, most });
const any = Number.POSITIVE_INFINITY;

/** Operations with other round trips than one read, or one read and one batch, and why. */
export const otherTrips: Record<string, [trips: Trips, because: string]> = {
  'POST /events': [{ usual: 2, least: 1, most: 2 }, 'it looks up events that have a time or an ID'],
  'POST /metrics/values': [exactly(1), readsNothing],
  'POST /experiments/:id/load_pulse': [upTo(any, 9), loads],
  'POST /gates/:id/load_pulse': [upTo(any, 10), loads],
  'GET /experiments/:id/baseline': [
    { usual: 2, least: 1, most: 4 },
    'it reads the metric, the snapshot that targeting needs, and the events if the metric is computable',
  ],
  'GET /experiments/:id/exposures': [exactly(2), streams],
  'GET /audit_logs': [
    { usual: 1, least: 1, most: 3 },
    'it finds an actor by name and a request, then the filter with the fewest entries',
  ],
  'POST /metrics/preview': [
    { usual: 1, least: 0, most: 3 },
    'it reads what a metric refers to, and then the events if it is computable',
  ],
  'POST /power_analysis': [
    { usual: 1, least: 0, most: 1 },
    'it reads nothing unless the baseline is an experiment',
  ],
  'GET /reports': [exactly(0), readsNothing],
  'GET /reports/:type': [exactly(2), streams],
  'POST /import': [
    upTo(any, 4),
    'it stores in pieces, and then its response for an Idempotency-Key',
  ],
  'POST /experiments/:id/restart_as_new': [upTo(any), 'it looks for a free ID, ten at a time'],
  'POST /holdouts': [upTo(3), readsMembers],
  'POST /holdouts/:id': [upTo(3), readsMembers],
  'PATCH /holdouts/:id': [upTo(3), readsMembers],
  'DELETE /holdouts/:id': [upTo(3), readsMembers],
  'PUT /holdouts/:id/versions/:version/restore': [upTo(3), readsMembers],
  'PATCH /layers/:id': [upTo(3), readsLayer],
  'POST /layers/:id': [upTo(3), readsLayer],
  'PATCH /experiments/:id': [upTo(3), readsLayer],
  'POST /experiments/:id': [upTo(3), readsLayer],
  'PUT /experiments/:id/start': [upTo(3), readsLayer],
  'PUT /experiments/:id/versions/:version/restore': [upTo(3), readsLayer],
  'PATCH /tags/:id': [upTo(8), findsMentions],
  'PATCH /teams/:id': [upTo(8), findsMentions],
  'PATCH /target_apps/:id': [upTo(8), findsMentions],
  'PATCH /unit_id_types/:id': [upTo(8), findsMentions],
  'PATCH /users/:id': [upTo(8), findsMentions],
  'POST /metrics/:id': [upTo(3), 'it checks the ID of another name'],
  'PATCH /company': [exactly(3), 'it reads its ID, which no request names, and then the entity'],
  'POST /environments': [upTo(3, 3), checksNames],
  'PUT /environments/:id/versions/:version/restore': [upTo(3, 3), checksNames],
  'PUT /release_pipeline_triggers/:id/skip': [upTo(3, 3), mayEnter],
  'PUT /release_pipeline_triggers/:id/approve': [exactly(3), follows],
  'PUT /release_pipeline_triggers/:id/rollout': [upTo(3, 3), mayEnter],
  'PUT /release_pipeline_triggers/:id/abort': [exactly(3), follows],
};

/** Returns the name of an operation in `otherTrips`. */
export const shortTitle = ({ method, path }: Pick<Route, 'method' | 'path'>) =>
  `${method} ${path.replace('/console/v1', '')}`;

const countOf = (changes: unknown) => (Array.isArray(changes) ? changes.length : 0);

/** Returns how many changes a body makes; one that is sent as text may not be JSON. */
function changesIn(body: unknown): number {
  if (typeof body !== 'string') return countOf(memberOf(body, 'changes'));
  try {
    return countOf(memberOf(JSON.parse(body), 'changes'));
  } catch {
    return 0;
  }
}

/** Returns the round trips of an operation: one for a read, and two for a change that is stored. */
export function usualTrips(route: Route, body: unknown): Trips {
  // Many changes read together, ten at a time; some read more by what they found.
  if (route.path.endsWith('/changes'))
    return { usual: 2, least: 1, most: Math.ceil(changesIn(body) / 10) + 4 };
  return otherTrips[shortTitle(route)]?.[0] ?? exactly(isChange(route) ? 2 : 1);
}

/** Lists of names read all totals and all registered names; a single name is counted per resource type. */
export const isOfNames = ({ path }: Route) =>
  /\/(tags|teams|target_apps|unit_id_types|users)(\/:id)?$|\/environments$/.test(path);

/** Entities that time may change: a read also checks for overdue phases and starts. */
export const isClocked = ({ path }: Route) =>
  /\/(gates|dynamic_configs|release_pipeline_triggers|experiments)(\/:id|$)|\/company$/.test(path);
