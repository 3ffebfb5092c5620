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
  says: 'It leaves the lists. It can be brought back as it was.',
  saysOfMany: 'They leave the lists. They can be brought back as they were.',
  inMenu: true,
};

export const unarchiving: Action = {
  name: 'unarchive',
  label: 'Bring back',
  says: 'It is again what it was before it was archived.',
  look: 'primary',
};

/** Of some actions, each with the status that it leads to, those that lead elsewhere; of what is archived, the way back. */
export function movesFrom(status: Status, all: (Action & { to: Status })[]): Action[] {
  if (status === 'Archived') return [unarchiving];
  return all.filter(({ to }) => to !== status);
}

/** Why what is archived cannot be changed. */
export const archivedLock = ({ status }: { status: string }) =>
  status.toLowerCase() === 'archived' ? 'It is archived. Bring it back to change it.' : undefined;
