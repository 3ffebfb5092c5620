import { type Archivable, moveTo } from '../shared/archive.ts';
import type { Entity } from '../store/columns.ts';
import { transition } from './changing.ts';
import type { Shown } from './shown.ts';

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
