import type { Hono, MiddlewareHandler } from 'hono';
import type { Service } from '../env.ts';
import { methodNotAllowed, notFound } from './respond.ts';

/** A place among the paths: what stands below it, by a text of its own or as an id, and the methods that it has itself. */
interface Place {
  named: Map<string, Place>;
  byID: Place | undefined;
  methods: Set<string>;
}

const newPlace = (): Place => ({ named: new Map(), byID: undefined, methods: new Set() });

const partsOf = (path: string) => path.replace(/(.)\/$/, '$1').split('/');

/** The place below another that a part of a route's path stands for, made where there is none. */
function placeBelow(place: Place, part: string): Place {
  if (part.startsWith(':')) {
    place.byID ??= newPlace();
    return place.byID;
  }
  const below = place.named.get(part) ?? newPlace();
  place.named.set(part, below);
  return below;
}

/** The paths of an app's operations, as a tree. What an app does on all methods of a path is no operation. */
function treeOf({ routes }: Hono<Service>): Place {
  const root = newPlace();
  for (const { method, path } of routes.filter((route) => route.method !== 'ALL')) {
    const { methods } = partsOf(path).reduce(placeBelow, root);
    methods.add(method);
    if (method === 'GET') methods.add('HEAD');
  }
  return root;
}

/** The place that a path leads to. A part that has a place of its own is never taken for an id, nor an empty one. */
const follow = (root: Place, path: string) =>
  path
    .split('/')
    .reduce<Place | undefined>(
      (place, part) => place?.named.get(part) ?? (part === '' ? undefined : place?.byID),
      root,
    );

/**
 * Lets through what an app has an operation for: 404 for a path that there is not, 405 with `Allow` for one that has
 * other methods. So `/metrics/values/versions` is no path, rather than the versions of a metric `values`.
 */
export function knownPaths(app: Hono<Service>): MiddlewareHandler<Service> {
  let root: Place | undefined;
  return async (c, next) => {
    root ??= treeOf(app); // The app has its routes by the first request.
    const { methods } = follow(root, c.req.path) ?? newPlace();
    if (methods.size === 0) return notFound(c);
    if (!methods.has(c.req.method)) return methodNotAllowed(c, [...methods]);
    return next();
  };
}
