import { Problem } from '../../base/problem.ts';

type Status = 'In Progress' | 'Launched' | 'Disabled' | 'Archived';

export interface Archivable {
  status: Status;
  archivedFrom: Status | null;
}

/** Whether an entity is on; an archived one counts by its status before archiving. */
export function isOn({ status, archivedFrom }: Archivable): boolean {
  const current = archivedFrom ?? status;
  return current === 'In Progress' || current === 'Launched';
}

/** Returns the entity in another status. @throws Problem 409 if it is archived */
export function withStatus<E extends Archivable>(
  entity: E,
  status: Exclude<Status, 'Archived'>,
): E {
  if (entity.status === 'Archived')
    throw new Problem('transition', 'The entity is Archived; unarchive it first.');
  return { ...entity, status };
}

/** Applies `isEnabled` of a body. @throws Problem 409 if that would change an archived entity */
export function withEnabled<E extends Archivable>(entity: E, wanted: boolean | undefined): E {
  if (wanted === undefined || wanted === isOn(entity)) return entity;
  return withStatus(entity, wanted ? 'In Progress' : 'Disabled');
}

/** Archives an entity, unless it is archived already. */
export function archive<E extends Archivable>(entity: E): E {
  if (entity.status === 'Archived') return entity;
  return { ...entity, status: 'Archived', archivedFrom: entity.status };
}

/** Restores the status before archiving. */
export function unarchivedEntity<E extends Archivable>(entity: E): E {
  if (entity.status !== 'Archived') return entity;
  return { ...entity, status: entity.archivedFrom ?? 'In Progress', archivedFrom: null };
}

/** Throws Problem 400 for an imported entity whose status contradicts `archivedFrom`. */
export function requireArchivedFrom({ status, archivedFrom }: Archivable): void {
  if ((status === 'Archived') === (archivedFrom !== null) && archivedFrom !== 'Archived') return;
  throw Problem.property(
    'archivedFrom',
    'must be the status before archiving, or null if not archived',
  );
}

/** Hides archived entities by default. By `archivedFrom`, so that other status changes write to no index. */
export const whileArchived = {
  column: 'status',
  value: 'Archived',
  visible: 'archivedFrom is null',
  onlyHidden: 'archivedFrom',
};
