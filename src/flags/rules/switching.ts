import { transitionHandlers } from '../../platform/operations/changing.ts';
import { type Handled, nounOf, withArticle } from '../../platform/operations/resource.ts';
import type { Entity } from '../../platform/store/core/entity.ts';
import { type Archivable, withStatus } from './archive.ts';

const switches = {
  enable: { done: 'enabled', status: 'In Progress' },
  disable: { done: 'disabled', status: 'Disabled' },
  launch: { done: 'launched', status: 'Launched' },
} as const;

/** Returns handlers that switch one entity on or off, under If-Match. */
export function switchStatus<E extends Entity & Archivable>(
  resource: Handled<E>,
  action: keyof typeof switches,
  summary: string,
) {
  const { done, status } = switches[action];
  return transitionHandlers(resource, {
    action,
    summary,
    done,
    next: (entity) => withStatus(entity, status),
  });
}

/** Returns handlers that archive one entity, under If-Match. */
export const archiveEntity = <E extends Entity>(resource: Handled<E>, next: (entity: E) => E) =>
  transitionHandlers(resource, {
    action: 'archive',
    summary: `Archive ${withArticle(nounOf(resource))}`,
    done: 'archived',
    next,
  });

/** Returns handlers that restore an archived entity, under If-Match. */
export const unarchiveEntity = <E extends Entity>(resource: Handled<E>, next: (entity: E) => E) =>
  transitionHandlers(resource, {
    action: 'unarchive',
    summary: `Restore an archived ${nounOf(resource)} to its earlier status`,
    done: 'unarchived',
    next,
  });
