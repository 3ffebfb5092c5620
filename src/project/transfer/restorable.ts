import { isEqual } from '../../base/equal.ts';
import { stampsExample } from '../../base/fields.ts';
import { Problem } from '../../base/problem.ts';
import { minuteLength } from '../../base/time.ts';
import { fromZodAt } from '../../platform/http/zod_errors.ts';
import {
  anyEntity,
  type Portable,
  portableVersion,
  readingAs,
} from '../../platform/resource/portable.ts';
import type { Entity } from '../../platform/store/core/entity.ts';
import type { Kind } from '../../platform/store/core/kind.ts';
import type { PortableRevision } from './schema.ts';

/** Milliseconds by which the clock of another server may be ahead. */
const clockSkew = minuteLength;

const holdsSecret = (
  { redact }: Kind<Entity>,
  { property, ...values }: PortableRevision['changes'][number],
) =>
  Object.values(values).some((value) => {
    const part = { id: '', ...stampsExample, [property]: value };
    return !isEqual(redact(part), part);
  });

/** Throws Problem 400 for an imported revision that is not restorable, or future: later changes could not follow. */
export function restorable(
  revision: PortableRevision,
  portable: Portable | undefined,
  place: string,
  now: number,
): PortableRevision {
  if (revision.time > now + clockSkew)
    throw Problem.property(`${place}.revision.time`, 'must not be in the future');
  if (!portable) return revision;
  const { snapshot } = revision;
  const error =
    readingAs(portableVersion(portable), snapshot).error ?? readingAs(anyEntity, snapshot).error;
  if (error) throw fromZodAt(error, snapshot, `${place}.revision.snapshot`);
  const { id, version } = snapshot;
  if (id !== revision.id)
    throw Problem.property(`${place}.revision.snapshot.id`, 'must be the id of the revision');
  if (version !== revision.version && version !== revision.version - 1)
    throw Problem.property(
      `${place}.revision.snapshot.version`,
      'must be the version of the revision, or the one before if it removes the entity',
    );
  if (revision.changes.some((change) => holdsSecret(portable.kind, change)))
    throw Problem.property(`${place}.revision.changes`, 'must not contain a secret');
  return revision;
}
