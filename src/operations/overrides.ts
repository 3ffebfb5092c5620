import * as z from 'zod';
import { countEntries, type Edit } from '../shared/overrides.ts';
import type { Entity } from '../store/columns.ts';
import { change } from './changing.ts';
import { nounOf, type Remark, type Shown } from './shown.ts';

interface Overridable<E extends Entity, S extends z.ZodType> extends Shown<E> {
  request: S;
  edit: (entity: E, edit: Edit, body: z.output<S>) => E;
}

const summaries = {
  replace: 'Replace the overrides of one',
  add: 'Add to the overrides of one',
  remove: 'Remove overrides, or all without a body, of one',
};

const removed = z.int().meta({
  description: 'How many entries are gone: ids, and whole overrides that hold none.',
  examples: [1],
});

/** Says how many entries a removal took away, so that one that met none is no silent success. */
const counting = <E extends Entity>({ view }: Shown<E>): Remark<E> => ({
  members: { removed },
  prepare: async () => (before, after) => {
    const [old, left] = [before ? countEntries(view(before)) : 0, countEntries(view(after))];
    const gone = old - left;
    return {
      ending: `, ${gone} ${gone === 1 ? 'entry' : 'entries'} removed`,
      members: { removed: gone },
    };
  },
});

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
    ...(edit === 'remove' && { remark: counting(of) }),
  });
