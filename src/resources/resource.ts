import type { Hono } from 'hono';
import type { Service } from '../env.ts';
import type { Entity } from '../store/core/entity.ts';
import type { HookedKind } from '../store/core/hooks.ts';
import type { Transfer } from './transfer/portability.ts';

/** The entry of a resource in the registry. */
export interface Resource {
  /** The path below `/console/v1`. */
  path: string;
  /** Its entities; undefined if it has none of its own. */
  kind?: HookedKind<Entity>;
  /** Its routes, or a function that makes them if they concern every resource. */
  routes: Hono<Service> | ((registry: readonly Resource[]) => Hono<Service>);
  /** How its entities are exported and imported; undefined if they belong to a deployment. */
  transfer?: Transfer;
  /** The properties of a creation other than its name, for tests. */
  example?: Readonly<Record<string, unknown>>;
}

/** Returns the kinds of all resources. */
export const kindsOf = (registry: readonly Resource[]): HookedKind<Entity>[] =>
  registry.flatMap(({ kind }) => kind ?? []);
