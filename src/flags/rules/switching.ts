import { transition } from '../../platform/operations/changing.ts';
import { nounOf, type Resource, withArticle } from '../../platform/operations/resource.ts';
import type { Entity } from '../../platform/store/core/entity.ts';
import { type Archivable, moveTo } from './archive.ts';

const switches = {
  enable: { done: 'enabled', status: 'In Progress' },
  disable: { done: 'disabled', status: 'Disabled' },
  launch: { done: 'launched', status: 'Launched' },
} as const;

/** Returns handlers that switch one entity on or off, under If-Match. */
export function switchStatus<E extends Entity & Archivable>(
  resource: Resource<E>,
  action: keyof typeof switches,
  summary: string,
) {
  const { done, status } = switches[action];
  return transition(resource, { action, summary, done, next: (entity) => moveTo(entity, status) });
}

/** Returns handlers that archive one entity, under If-Match. */
export const archiveEntity = <E extends Entity>(resource: Resource<E>, next: (entity: E) => E) =>
  transition(resource, {
    action: 'archive',
    summary: `Archive ${withArticle(nounOf(resource))}`,
    done: 'archived',
    next,
  });

/** Returns handlers that restore an archived entity, under If-Match. */
export const unarchiveEntity = <E extends Entity>(resource: Resource<E>, next: (entity: E) => E) =>
  transition(resource, {
    action: 'unarchive',
    summary: `Restore an archived ${nounOf(resource)} to its earlier status`,
    done: 'unarchived',
    next,
  });
