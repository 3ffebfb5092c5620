import { Hono } from 'hono';
import type * as z from 'zod';
import type { Patch } from '../../base/fields.ts';
import type { Service } from '../env.ts';
import { requires } from '../http/scope.ts';
import { creationHandlers } from '../operations/changing.ts';
import { restoreHandlers, versionHandlers, versionsHandlers } from '../operations/history.ts';
import { listUsed, patchUsed, readUsed, removeUsed } from '../operations/names.ts';
import { resourceOf } from '../operations/resource.ts';
import type { Entity } from '../store/core/entity.ts';
import type { HookedKind } from '../store/core/hooks.ts';
import type { Draft } from '../store/core/transaction.ts';
import type { NamingKind } from '../store/lists/name_usage.ts';
import { type describedName, newName } from './name_schemas.ts';
import { creation } from './portable.ts';
import { kindsOf, type Resource } from './resource.ts';

interface NameOptions<S, E extends Entity, C extends z.ZodType> {
  schemas: {
    response: S;
    used: z.ZodType;
    create: C;
    patch: z.ZodType<Patch<E> & { merge?: boolean | undefined }>;
  };
  make: (body: z.output<C>) => Draft<E>;
  draft: (name: string) => Draft<E>;
  next?: (old: E, body: Patch<E>) => E;
  access?: ReturnType<typeof requires>;
}

/** Returns a function that makes the routes of names; uses are counted in all resources of the registry. */
export const nameRoutes =
  <S extends z.ZodObject, E extends Entity & z.output<S>, C extends z.ZodType>(
    kind: HookedKind<E> & NamingKind<E>,
    { schemas, make, draft, next, access = requires('read', 'write') }: NameOptions<S, E, C>,
  ) =>
  (registry: readonly Resource[]) => {
    const { response, used, create: body, patch } = schemas;
    const resource = { ...resourceOf(kind, response), used, kinds: kindsOf(registry), draft };
    return new Hono<Service>()
      .use(access)
      .get('/', ...listUsed(resource))
      .post('/', ...creationHandlers(resource, { body, make }))
      .get('/:id', ...readUsed(resource))
      .patch('/:id', ...patchUsed(resource, patch, next))
      .delete('/:id', ...removeUsed(resource))
      .get('/:id/versions', ...versionsHandlers(resource))
      .get('/:id/versions/:version', ...versionHandlers(resource))
      .put('/:id/versions/:version/restore', ...restoreHandlers(resource));
  };

type DescribedName = ReturnType<typeof describedName>;

/** Returns the resource of names with only a description. */
export const describedNameResource = (
  path: string,
  kind: HookedKind<z.output<DescribedName['response']>> & NamingKind<Entity>,
  schemas: DescribedName,
): Resource => ({
  path,
  kind,
  routes: nameRoutes(kind, { schemas, make: newName, draft: (name) => newName({ name }) }),
  transfer: {
    stage: 'names',
    stored: schemas.response,
    creation: creation(schemas.create, newName),
  },
});
