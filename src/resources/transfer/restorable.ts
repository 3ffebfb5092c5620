import { fromZodAt } from '../../http/zod_errors.ts';
import { Problem } from '../../problem.ts';
import { isEqual } from '../../shared/equal.ts';
import type { Entity } from '../../store/core/entity.ts';
import type { Kind } from '../../store/core/kind.ts';
import { anyEntity, readingAs, versionOf } from './portability.ts';
import { portableOf } from './portable.ts';
import type { PortableRevision } from './schema.ts';

/** How far, in milliseconds, the clock of another server may be ahead of this one's. */
const clockSkew = 60_000;

/** Whether a change shows a secret, which history never does. */
const holdsSecret = (
  { concealed }: Kind<Entity>,
  { property, ...values }: PortableRevision['changes'][number],
) =>
  Object.values(values).some((value) => {
    const part = { [property]: value };
    return !isEqual(concealed(Object(part)), part);
  });

/**
 * A row of history whose state can be restored: 400 for one that could not be stored, or that is of the future, behind
 * which all that comes would have to stand.
 */
export function restorable(
  revision: PortableRevision,
  place: string,
  now: number,
): PortableRevision {
  if (revision.time > now + clockSkew)
    throw Problem.property(`${place}.revision.time`, 'must not be in the future');
  const portable = portableOf(revision.kind);
  if (!portable) return revision;
  const { snapshot } = revision;
  const error =
    readingAs(versionOf(portable), snapshot).error ?? readingAs(anyEntity, snapshot).error;
  if (error) throw fromZodAt(error, snapshot, `${place}.revision.snapshot`);
  const { id, version } = Object(snapshot);
  if (id !== revision.id)
    throw Problem.property(`${place}.revision.snapshot.id`, 'must be the id of the revision');
  if (version !== revision.version && version !== revision.version - 1)
    throw Problem.property(
      `${place}.revision.snapshot.version`,
      'must be the version of the revision, or, where it removes the entity, the one before',
    );
  if (revision.changes.some((change) => holdsSecret(portable.kind, change)))
    throw Problem.property(`${place}.revision.changes`, 'must not hold a secret');
  return revision;
}
