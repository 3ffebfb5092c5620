import { Hono } from 'hono';
import type * as z from 'zod';
import type { Resource } from '../env.ts';
import type { Edit } from '../shared/overrides.ts';
import type { Entity } from '../store/columns.ts';
import { changeRoute } from './changing.ts';
import { readRoute } from './reading.ts';
import type { Shown } from './shown.ts';

interface Overridable<E extends Entity, S extends z.ZodType> extends Shown<E> {
  request: S;
  edit: (entity: E, edit: Edit, body: z.output<S>) => E;
}

const edits = [
  { method: 'POST', edit: 'replace', summary: 'Replace the overrides of one' },
  { method: 'PATCH', edit: 'add', summary: 'Add to the overrides of one' },
  { method: 'DELETE', edit: 'remove', summary: 'Remove overrides, or all without a body, of one' },
] as const;

/** GET, POST (replace), PATCH (add) and DELETE (remove) of an entity's overrides (completions, section 4). */
export function overridesRoutes<E extends Entity, S extends z.ZodType>(of: Overridable<E, S>) {
  const path = '/overrides';
  const app = new Hono<Resource>().route('/', readRoute(of, path, 'overrides'));
  for (const { method, edit, summary } of edits)
    app.route(
      '/',
      changeRoute(of, {
        method,
        path,
        summary: `${summary} ${of.collection.title.toLowerCase()}`,
        action: `${edit}_overrides`,
        done: 'overrides updated',
        body: of.request,
        next: (entity, body) => of.edit(entity, edit, body),
      }),
    );
  return app;
}
