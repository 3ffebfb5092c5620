import { Hono } from 'hono';
import * as z from 'zod';
import type { Resource } from '../env.ts';
import { listing, listOf, messageOnly, oneOf, pageQuery, single } from '../http/envelope.ts';
import { doc, valid } from '../http/valid.ts';
import { idParam, time } from '../shared/fields.ts';
import type { Entity } from '../store/columns.ts';
import { listHistory, readRevision } from '../store/revisions.ts';
import { hideSecrets } from '../store/secrets.ts';
import { readRoute } from './reading.ts';
import type { Shown } from './shown.ts';

const change = z
  .object({ property: z.string(), old: z.unknown().optional(), new: z.unknown().optional() })
  .meta({ id: 'PropertyChange' });

const revisionExample = {
  kind: 'gate',
  id: 'new_checkout',
  version: 2,
  action: 'update',
  actorID: 'root',
  actorName: 'CONSOLE API',
  time: 1767225600000,
  requestID: '8a8b1c9e-7f0e-4a55-9d3c-0f6d5d7b8e11',
  changes: [{ property: 'description', old: '', new: 'The one-page checkout.' }],
};

/** A row of history, here and in the audit log. */
export const revisionResponse = z
  .object({
    kind: z.string(),
    id: z.string(),
    version: z.int(),
    action: z.string(),
    actorID: z.string(),
    actorName: z.string(),
    time,
    requestID: z.string(),
    changes: z.array(change),
  })
  .meta({ id: 'Revision', examples: [revisionExample] });

const revisionWithState = revisionResponse
  .extend({ snapshot: z.record(z.string(), z.unknown()) })
  .meta({
    id: 'RevisionWithState',
    examples: [{ ...revisionExample, snapshot: { id: 'new_checkout', version: 2 } }],
  });

const versionNumber = z
  .string()
  .regex(/^\d{1,9}$/, 'must be a version number')
  .transform(Number)
  .pipe(z.int().min(1));
const versionParam = idParam.extend({ version: versionNumber });
const compareQuery = z.object({
  compareTo: versionNumber
    .optional()
    .meta({ description: 'Show what changed since this version.' }),
});

interface Kept<E extends Entity> extends Shown<E> {
  /** Whether it can be deleted; so it is where left out. */
  removable?: boolean;
}

/** What every entity has alike: read one, delete one, its versions, and restoring one of them. */
export function entityRoutes<E extends Entity>(of: Kept<E>) {
  const { collection, response, view, removable = true } = of;
  const { kind, title } = collection;
  const noun = title.toLowerCase();
  const removal = new Hono<Resource>();
  if (removable)
    removal.delete(
      '/:id',
      doc(`Delete one ${noun}`, messageOnly),
      valid('param', idParam),
      async (c) => {
        await collection.remove(c, c.req.valid('param').id);
        return c.json({ message: `${title} deleted successfully.` });
      },
    );
  return new Hono<Resource>()
    .route('/', readRoute(of))
    .route('/', removal)
    .get(
      '/:id/versions',
      doc(`List the versions of one ${noun}`, listOf(revisionResponse)),
      valid('param', idParam),
      valid('query', pageQuery),
      async (c) => {
        const { id } = c.req.valid('param');
        const page = await listHistory(c.env.tx, kind, id, c.req.valid('query'));
        return listing(c, 'Versions listed successfully.', page, (revision) => revision);
      },
    )
    .get(
      '/:id/versions/:version',
      doc(`Read one version of one ${noun}`, oneOf(revisionWithState)),
      valid('param', versionParam),
      valid('query', compareQuery),
      async (c) => {
        const { id, version } = c.req.valid('param');
        const { compareTo } = c.req.valid('query');
        const revision = await readRevision(c.env.tx, kind, id, version, compareTo);
        const data = { ...revision, snapshot: hideSecrets(revision.snapshot) };
        return single(c, 'Version read successfully.', revision, data);
      },
    )
    .put(
      '/:id/versions/:version/restore',
      doc(`Restore one version of one ${noun}, also of a deleted one`, oneOf(response)),
      valid('param', versionParam),
      async (c) => {
        const { id, version } = c.req.valid('param');
        const entity = await collection.restore(c, id, version);
        return single(c, `${title} restored successfully.`, entity, view(entity));
      },
    );
}
