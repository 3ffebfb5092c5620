import type { Hono } from 'hono';
import type { Service } from '../env.ts';
import type { Entity } from '../store/core/entity.ts';
import type { HookedKind } from '../store/core/hooks.ts';
import type { Transfer } from './portable.ts';

export interface Resource {
  path: string;
  kind?: HookedKind<Entity>;
  routes: Hono<Service> | ((registry: readonly Resource[]) => Hono<Service>);
  transfer?: Transfer;
  example?: Readonly<Record<string, unknown>>;
}

/** Returns the kinds of all resources. */
export const kindsOf = (registry: readonly Resource[]): HookedKind<Entity>[] =>
  registry.flatMap(({ kind }) => kind ?? []);
