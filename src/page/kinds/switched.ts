import type { Action, BulkAction } from '../recipe/kind.ts';
import { lookOf, type Tones, wordsOf } from '../ui/status.tsx';

type Status = 'In Progress' | 'Launched' | 'Disabled' | 'Archived';

const tones: Tones<Status> = {
  'In Progress': 'going',
  Launched: 'done',
  Disabled: 'idle',
  Archived: 'away',
};

/** How the status looks of what is switched on and off. */
export const switchedStatus = ({ status }: { status: Status }) => lookOf(tones, status);

export const switchedFilter = (statuses: Status[]) => ({
  name: 'status',
  label: 'Status',
  all: 'not archived',
  options: wordsOf(statuses),
});

/** The same of what is archived or not, and nothing else. */
export const archivedFilter = { ...switchedFilter([]), options: wordsOf(['archived']) };

export const archiving: BulkAction = {
  name: 'archive',
  label: 'Archive',
  says: 'Hides it from lists. You can restore it at any time.',
  saysOfMany: 'Hides them from lists. You can restore them at any time.',
  inMenu: true,
};

export const unarchiving: Action = {
  name: 'unarchive',
  label: 'Unarchive',
  says: 'Restores its status from before archiving.',
  look: 'primary',
};

/** Of some actions, each with the status that it leads to, those that lead elsewhere; of what is archived, the way back. */
export function movesFrom(status: Status, all: (Action & { to: Status })[]): Action[] {
  if (status === 'Archived') return [unarchiving];
  return all.filter(({ to }) => to !== status);
}

/** Why what is archived cannot be changed. */
export const archivedLock = ({ status }: { status: string }) =>
  status.toLowerCase() === 'archived' ? 'Archived. Unarchive to make changes.' : undefined;
