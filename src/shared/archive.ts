import { Problem } from '../problem.ts';

type Status = 'In Progress' | 'Launched' | 'Disabled' | 'Archived';

/** What is switched on and off, and can be archived and brought back. */
export interface Archivable {
  status: Status;
  /** What an archived entity was, and will be when it comes back. */
  archivedFrom: Status | null;
}

/** Whether an entity is on; an archived one counts as what it was. */
export function isOn({ status, archivedFrom }: Archivable): boolean {
  const current = archivedFrom ?? status;
  return current === 'In Progress' || current === 'Launched';
}

/** An entity in another status; 409 from Archived. */
export function moveTo<E extends Archivable>(entity: E, status: Exclude<Status, 'Archived'>): E {
  if (entity.status === 'Archived')
    throw new Problem('transition', 'It is Archived; unarchive it first.');
  return { ...entity, status };
}

/** An entity as `isEnabled` of a body asks for; 409 where that would change an archived one. */
export function withEnabled<E extends Archivable>(entity: E, wanted: boolean | undefined): E {
  if (wanted === undefined || wanted === isOn(entity)) return entity;
  return moveTo(entity, wanted ? 'In Progress' : 'Disabled');
}

/** Archives an entity; one that is archived stays as it is. */
export function archive<E extends Archivable>(entity: E): E {
  if (entity.status === 'Archived') return entity;
  return { ...entity, status: 'Archived', archivedFrom: entity.status };
}

/** Brings an archived entity back as it was; another stays as it is. */
export function unarchive<E extends Archivable>(entity: E): E {
  if (entity.status !== 'Archived') return entity;
  return { ...entity, status: entity.archivedFrom ?? 'In Progress', archivedFrom: null };
}

/** 400 for what comes from elsewhere and is archived from nothing, or from something and not archived. */
export function requireArchivedFrom({ status, archivedFrom }: Archivable): void {
  if ((status === 'Archived') === (archivedFrom !== null) && archivedFrom !== 'Archived') return;
  throw Problem.property('archivedFrom', 'must be what is Archived was before, or else null');
}

/**
 * What lists leave out of a kind that can be archived, unless asked for all. Whether an entity is visible is read off
 * `archivedFrom`, so that a move between other statuses touches none of the indexes of what is visible.
 */
export const whileArchived = {
  column: 'status',
  value: 'Archived',
  visible: 'archivedFrom is null',
  only: 'archivedFrom',
};
