import * as z from 'zod';
import { nullableText, stampsExample, time } from '../../base/fields.ts';
import { idParam } from '../../base/ids.ts';
import { ifMatch } from '../http/conditional.ts';
import {
  dataEnvelope,
  listEnvelope,
  listing,
  pageQuery,
  requestedPage,
  single,
} from '../http/envelope.ts';
import { createHandlers } from '../http/handlers.ts';
import { readCurrent, withOverdue } from '../http/overdue.ts';
import { changeMessage, readMessage } from '../http/success.ts';
import { transact } from '../http/transact.ts';
import { doc, valid } from '../http/valid.ts';
import { missingVersion } from '../store/core/define_kind.ts';
import type { Entity } from '../store/core/entity.ts';
import type { Kind } from '../store/core/kind.ts';
import type { Reads } from '../store/core/reads.ts';
import type { Transaction } from '../store/core/transaction.ts';
import { restoreEntity } from '../store/entities/entities.ts';
import { listHistory, readRevision } from '../store/history/list.ts';
import {
  entityResponse,
  type Handled,
  nounOf,
  prepareRemark,
  type Remark,
  respondWith,
  successOf,
} from './resource.ts';

export const propertyChange = z
  .object({ property: z.string(), old: z.unknown().optional(), new: z.unknown().optional() })
  .meta({
    id: 'PropertyChange',
  });

const description = 'Everything related to payment.';

const revisionExample = {
  kind: 'tag',
  id: 'checkout',
  name: 'checkout',
  version: 2,
  action: 'update',
  actorID: 'root',
  actorName: 'CONSOLE API',
  time: 1767225600000,
  requestID: '8a8b1c9e-7f0e-4a55-9d3c-0f6d5d7b8e11.1767225600000',
  note: 'Describe the tag.',
  changes: [{ property: 'description', old: '', new: description }],
};

export const revisionResponse = z
  .object({
    kind: z.string(),
    id: z.string(),
    name: nullableText,
    version: z.int(),
    action: z.string(),
    actorID: z.string(),
    actorName: z.string(),
    time,
    requestID: z.string(),
    note: nullableText,
    changes: z.array(propertyChange),
  })
  .meta({ id: 'Revision', examples: [revisionExample] });

export const revisionWithState = revisionResponse
  .extend({ snapshot: z.record(z.string(), z.unknown()) })
  .meta({
    id: 'RevisionWithState',
    examples: [
      {
        ...revisionExample,
        snapshot: {
          id: 'checkout',
          name: 'checkout',
          description,
          isCore: true,
          ...stampsExample,
          version: 2,
        },
      },
    ],
  });

const versionNumber = z
  .string()
  .regex(/^\d{1,9}$/, 'must be a version number')
  .transform(Number)
  .pipe(z.int().min(1));

/** The version in a path, unparsed: an impossible version is 404, not 400. */
const versionParam = idParam.extend({
  version: z.string().meta({ type: 'integer', minimum: 1 }),
});

/** @throws Problem 404 for any spelling except its decimal digits */
function versionIn(kind: Kind<Entity>, { id, version }: z.infer<typeof versionParam>): number {
  if (/^[1-9]\d{0,8}$/.test(version)) return Number(version);
  throw missingVersion(kind.title, id, version);
}

const compareQuery = z.object({
  compareTo: versionNumber.optional(),
});

/** Returns handlers that list the history of one entity, newest first; it outlives the entity. */
export function versionsHandlers<E extends Entity>(
  resource: Pick<Handled<E>, 'kind' | 'overdueChanges'>,
) {
  const operation = doc(
    `List the versions of one ${nounOf(resource)}`,
    { title: 'Versions', done: 'listed' },
    listEnvelope(revisionResponse),
  );
  const [param, query] = [valid('param', idParam), valid('query', pageQuery)];
  return createHandlers(operation, param, query, async (c) => {
    const page = requestedPage(c.req.valid('query'));
    const { id } = c.req.valid('param');
    const read = (tx: Reads) => listHistory(tx, resource.kind, id, page);
    const found = await readCurrent(c, resource.overdueChanges, id, read);
    return listing(c, found);
  });
}

/** Returns handlers that read one version of one entity, with its state. */
export function versionHandlers<E extends Entity>(
  resource: Pick<Handled<E>, 'kind' | 'overdueChanges'>,
) {
  const operation = doc(
    `Read one version of one ${nounOf(resource)}`,
    { title: 'Version', done: 'read' },
    dataEnvelope(revisionWithState),
  );
  const [param, query] = [valid('param', versionParam), valid('query', compareQuery)];
  return createHandlers(operation, param, query, async (c) => {
    const { id } = c.req.valid('param');
    const number = versionIn(resource.kind, c.req.valid('param'));
    const { compareTo } = c.req.valid('query');
    const revision = await readCurrent(c, resource.overdueChanges, id, (tx) =>
      readRevision(tx, resource.kind, id, number, compareTo),
    );
    return single(c, readMessage(c), revision, revision);
  });
}

type Refuse<E extends Entity> = (tx: Transaction, before: E | undefined, after: E) => Promise<void>;

/** Returns handlers that make an earlier version the current one, under If-Match. */
export function restoreHandlers<E extends Entity>(
  resource: Handled<E>,
  remark?: Remark<E>,
  refuse?: Refuse<E>,
) {
  const { kind, response, overdueChanges } = resource;
  const summary = `Restore one version of one ${nounOf(resource)}`;
  const operation = doc(summary, successOf(kind, 'restored'), entityResponse(response, remark));
  return createHandlers(operation, valid('param', versionParam), (c) =>
    transact(c, async (tx) => {
      const { id } = c.req.valid('param');
      const number = versionIn(kind, c.req.valid('param'));
      const [before, entity, say] = await withOverdue(tx, overdueChanges, id, () =>
        Promise.all([
          refuse && tx.find(kind, id),
          restoreEntity(tx, kind, id, number, ifMatch(c)),
          prepareRemark(tx, kind, id, remark),
        ]),
      );
      await refuse?.(tx, before, entity);
      return respondWith(c, resource, changeMessage(c, tx), entity, say(entity).members);
    }),
  );
}
