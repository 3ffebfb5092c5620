import { lookOf, type Tones, wordsOf } from '../ui/status.tsx';
import type { Action, BulkAction } from './kind.ts';

type SwitchedStatus = 'In Progress' | 'Launched' | 'Disabled' | 'Archived';

const tones: Tones<SwitchedStatus> = {
  'In Progress': 'going',
  Launched: 'done',
  Disabled: 'idle',
  Archived: 'away',
};

export const switchedStatus = ({ status }: { status: SwitchedStatus }) => lookOf(tones, status);

export const switchedFilter = (statuses: SwitchedStatus[]) => ({
  name: 'status',
  label: 'Status',
  all: 'not archived',
  options: wordsOf(statuses),
});

export const archivedFilter = { ...switchedFilter([]), options: wordsOf(['archived']) };

export const enabling = {
  name: 'enable',
  label: 'Enable',
  effect: 'Its rules apply again.',
  look: 'primary' as const,
  to: 'In Progress' as const,
};

export const archiving: BulkAction = {
  name: 'archive',
  label: 'Archive',
  effect: 'Hides it from lists. You can restore it at any time.',
  effectOnMany: 'Hides them from lists. You can restore them at any time.',
  inMenu: true,
};

export const unarchiving: Action = {
  name: 'unarchive',
  label: 'Unarchive',
  effect: 'Restores its status from before archiving.',
  look: 'primary',
};

/** Returns the actions that change the status; only unarchiving if archived. */
export function movesFrom(
  status: SwitchedStatus,
  all: (Action & { to: SwitchedStatus })[],
): Action[] {
  if (status === 'Archived') return [unarchiving];
  return all.filter(({ to }) => to !== status);
}

/** Returns why an archived entity can't be edited. */
export const archivedLock = ({ status }: { status: string }) =>
  status.toLowerCase() === 'archived' ? 'Archived. Unarchive to make changes.' : undefined;
