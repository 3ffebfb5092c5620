import type { Hono, MiddlewareHandler } from 'hono';
import { getPath } from 'hono/utils/url';
import type { Service } from '../env.ts';
import { methodNotAllowed, notFound } from './respond.ts';

/** The doubled slashes of a base address that ends in one: before the first part of an API's path, and behind it. */
const doubled = /^\/+(console|ofrep|v1|v2)\/+/;

/** The path of a request. A flag key, further behind, keeps its slashes. */
export const pathOf = (request: Request): string => getPath(request).replace(doubled, '/$1/');

/** A node of the tree of paths: what stands below it, by a text of its own or as an id, and the methods that it has itself. */
interface Node {
  named: Map<string, Node>;
  byID: Node | undefined;
  methods: Set<string>;
}

const newNode = (): Node => ({ named: new Map(), byID: undefined, methods: new Set() });

const partsOf = (path: string) => path.replace(/(.)\/$/, '$1').split('/');

/** The node below another that a part of a route's path stands for, made where there is none. */
function nodeBelow(node: Node, part: string): Node {
  if (part.startsWith(':')) {
    node.byID ??= newNode();
    return node.byID;
  }
  const below = node.named.get(part) ?? newNode();
  node.named.set(part, below);
  return below;
}

/** The paths of an app's operations, as a tree. What an app does on all methods of a path is no operation. */
function treeOf({ routes }: Hono<Service>): Node {
  const root = newNode();
  for (const { method, path } of routes.filter((route) => route.method !== 'ALL')) {
    const { methods } = partsOf(path).reduce(nodeBelow, root);
    methods.add(method);
    if (method === 'GET') methods.add('HEAD');
  }
  return root;
}

/** The node that a path leads to. A part that has a node of its own is never taken for an id, nor an empty one. */
const follow = (root: Node, path: string) =>
  path
    .split('/')
    .reduce<Node | undefined>(
      (node, part) => node?.named.get(part) ?? (part === '' ? undefined : node?.byID),
      root,
    );

/**
 * Lets through what an app has an operation for: 404 for a path that does not exist, 405 with `Allow` for one that has
 * other methods. So `/metrics/values/versions` is no path, rather than the versions of a metric `values`.
 */
export function knownPaths(app: Hono<Service>): MiddlewareHandler<Service> {
  let root: Node | undefined;
  return async (c, next) => {
    root ??= treeOf(app); // The app has its routes by the first request.
    const { methods } = follow(root, c.req.path) ?? newNode();
    if (methods.size === 0) return notFound(c);
    if (!methods.has(c.req.method)) return methodNotAllowed(c, [...methods]);
    return next();
  };
}
