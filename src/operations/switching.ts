import { type Archivable, moveTo } from '../shared/archive.ts';
import type { Entity } from '../store/core/entity.ts';
import { transition } from './changing.ts';
import { nounOf, type Shown, withArticle } from './shown.ts';

/** What is done to what can be switched on and off: what the message says of it, and the status that it leads to. */
const switches = {
  enable: { done: 'enabled', status: 'In Progress' },
  disable: { done: 'disabled', status: 'Disabled' },
  launch: { done: 'launched', status: 'Launched' },
} as const;

/** Switches one entity on or off, under If-Match; answers the new state. */
export function switching<E extends Entity & Archivable>(
  shown: Shown<E>,
  action: keyof typeof switches,
  summary: string,
) {
  const { done, status } = switches[action];
  return transition(shown, { action, summary, done, next: (entity) => moveTo(entity, status) });
}

/** Archives one entity, under If-Match; answers its new state. */
export const archiving = <E extends Entity>(shown: Shown<E>, next: (entity: E) => E) =>
  transition(shown, {
    action: 'archive',
    summary: `Archive ${withArticle(nounOf(shown))}`,
    done: 'archived',
    next,
  });

/** Brings one archived entity back, under If-Match; answers its new state. */
export const unarchiving = <E extends Entity>(shown: Shown<E>, next: (entity: E) => E) =>
  transition(shown, {
    action: 'unarchive',
    summary: `Bring an archived ${nounOf(shown)} back as it was`,
    done: 'unarchived',
    next,
  });
