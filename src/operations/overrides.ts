import * as z from 'zod';
import { ifMatch } from '../http/conditional.ts';
import { oneOf } from '../http/envelope.ts';
import { createHandlers } from '../http/handlers.ts';
import { transact } from '../http/transact.ts';
import { doc, valid } from '../http/valid.ts';
import { idParam } from '../shared/fields.ts';
import type { Edit } from '../shared/overrides.ts';
import type { Entity } from '../store/columns.ts';
import * as entities from '../store/entities.ts';
import { etag } from '../store/preconditions.ts';
import { change } from './changing.ts';
import { nounOf, type Shown } from './shown.ts';

interface Overridable<E extends Entity, S extends z.ZodType, How extends Edit> extends Shown<E> {
  request: S;
  edit: (entity: E, edit: How, body: z.output<S>) => E;
}

const summaries = {
  replace: 'Replace the overrides of one',
  add: 'Add to the overrides of one',
  remove: 'Remove overrides, or all without a body, of one',
};

/** Replaces, adds to, or removes from an entity's overrides (completions, section 4). */
export const editOverrides = <E extends Entity, S extends z.ZodType, How extends Edit>(
  of: Overridable<E, S, How>,
  edit: How,
) =>
  change(of, {
    summary: `${summaries[edit]} ${nounOf(of)}`,
    action: `${edit}_overrides`,
    done: 'overrides updated',
    body: of.request,
    next: (entity, body) => of.edit(entity, edit, body),
  });

/** Overrides of which some can be removed by what they have in common. */
interface Removable<E extends Entity, S extends z.ZodType> extends Shown<E> {
  removal: S;
  remove: (entity: E, body: z.output<S>) => E;
  /** How many ids and conditions are overridden. */
  count: (entity: E) => number;
}

const removed = z.int().meta({
  description: 'How many overrides were removed; each id and each condition is one.',
  examples: [1],
});

/** Removes those of an entity's overrides that fit, or all without a body, and answers how many there were. */
export function removeOverrides<E extends Entity, S extends z.ZodType>(of: Removable<E, S>) {
  const { kind, response, view, removal, remove, count } = of;
  const operation = doc(`${summaries.remove} ${nounOf(of)}`, oneOf(response).extend({ removed }));
  return createHandlers(operation, valid('param', idParam), valid('json', removal), (c) =>
    transact(c, async (tx) => {
      const { id } = c.req.valid('param');
      const before = await entities.get(tx, kind, id);
      const step = { action: 'remove_overrides', ifMatch: ifMatch(c) };
      const next = (entity: E) => remove(entity, c.req.valid('json'));
      const after = await entities.change(tx, kind, id, step, next);
      const message = `${kind.title} overrides updated successfully.`;
      const answer = { message, data: view(after), removed: count(before) - count(after) };
      return c.json(answer, 200, { ETag: etag(after) });
    }),
  );
}
