import type { Hono, MiddlewareHandler } from 'hono';
import { getPath } from 'hono/utils/url';
import type { Service } from '../env.ts';
import { methodNotAllowed, notFound } from './respond.ts';

/** Doubled slashes before and after the first part of an API path: they result from base URLs that end in a slash. */
const doubledSlashes = /^\/+(console|ofrep|v1|v2)\/+/;

/** Returns the path of a request without doubled slashes in front. Slashes in a flag key stay. */
export const requestPath = (request: Request): string =>
  getPath(request).replace(doubledSlashes, '/$1/');

interface Node {
  named: Map<string, Node>;
  byID: Node | undefined;
  methods: Set<string>;
}

const newNode = (): Node => ({ named: new Map(), byID: undefined, methods: new Set() });

const pathParts = (path: string) => path.replace(/(.)\/$/, '$1').split('/');

function nodeBelow(node: Node, part: string): Node {
  if (part.startsWith(':')) {
    node.byID ??= newNode();
    return node.byID;
  }
  const below = node.named.get(part) ?? newNode();
  node.named.set(part, below);
  return below;
}

function treeOf({ routes }: Hono<Service>): Node {
  const root = newNode();
  for (const { method, path } of routes.filter((route) => route.method !== 'ALL')) {
    const { methods } = pathParts(path).reduce(nodeBelow, root);
    methods.add(method);
    if (method === 'GET') methods.add('HEAD');
  }
  return root;
}

const follow = (root: Node, path: string) =>
  path
    .split('/')
    .reduce<Node | undefined>(
      (node, part) => node?.named.get(part) ?? (part === '' ? undefined : node?.byID),
      root,
    );

/** Returns middleware that throws 404 for an unknown path, and 405 with `Allow` for an unknown method. */
export function knownPaths(app: Hono<Service>): MiddlewareHandler<Service> {
  let root: Node | undefined;
  return async (c, next) => {
    root ??= treeOf(app); // all routes are registered before the first request
    const { methods } = follow(root, c.req.path) ?? newNode();
    if (methods.size === 0) return notFound(c);
    if (!methods.has(c.req.method)) return methodNotAllowed(c, [...methods]);
    return next();
  };
}
