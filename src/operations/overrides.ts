import type * as z from 'zod';
import type { Edit } from '../shared/overrides.ts';
import type { Entity } from '../store/columns.ts';
import { change } from './changing.ts';
import { nounOf, type Shown } from './shown.ts';

interface Overridable<E extends Entity, S extends z.ZodType> extends Shown<E> {
  request: S;
  edit: (entity: E, edit: Edit, body: z.output<S>) => E;
}

const summaries = {
  replace: 'Replace the overrides of one',
  add: 'Add to the overrides of one',
  remove: 'Remove overrides, or all without a body, of one',
};

/** Replaces, adds to, or removes from an entity's overrides (completions, section 4). */
export const editOverrides = <E extends Entity, S extends z.ZodType>(
  of: Overridable<E, S>,
  edit: Edit,
) =>
  change(of, {
    summary: `${summaries[edit]} ${nounOf(of)}`,
    action: `${edit}_overrides`,
    done: 'overrides updated',
    body: of.request,
    next: (entity, body) => of.edit(entity, edit, body),
  });
