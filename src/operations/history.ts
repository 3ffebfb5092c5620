import * as z from 'zod';
import { ifMatch } from '../http/conditional.ts';
import { listing, listOf, oneOf, pageQuery, requestedPage, single } from '../http/envelope.ts';
import { createHandlers } from '../http/handlers.ts';
import { settled, watching } from '../http/settling.ts';
import { said, told } from '../http/success.ts';
import { transact } from '../http/transact.ts';
import { doc, valid } from '../http/valid.ts';
import { nullableText, stampsExample, time } from '../shared/fields.ts';
import { idParam } from '../shared/ids.ts';
import { missingVersion } from '../store/core/define_kind.ts';
import type { Entity } from '../store/core/entity.ts';
import type { Kind } from '../store/core/kind.ts';
import type { Reads } from '../store/core/reads.ts';
import type { Transaction } from '../store/core/transaction.ts';
import { restore as restoreEntity } from '../store/entities/entities.ts';
import { listHistory, readRevision } from '../store/history/list.ts';
import { answer, answerOf, done, nounOf, type Remark, remarking, type Shown } from './shown.ts';

/** A property and its two values, of a change. */
export const propertyChange = z
  .object({ property: z.string(), old: z.unknown().optional(), new: z.unknown().optional() })
  .meta({
    id: 'PropertyChange',
    description:
      'Lists show `{ length, sha256 }` in place of a value of more than 4,000 characters of JSON.',
  });

const description = 'All that is part of paying.';

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
  note: 'Say what it is.',
  changes: [{ property: 'description', old: '', new: description }],
};

/** A row of history, here and in the audit log. */
export const revisionResponse = z
  .object({
    kind: z.string(),
    id: z.string(),
    name: nullableText.meta({
      description: 'What it was called then; null for what has no name.',
    }),
    version: z.int(),
    action: z.string(),
    actorID: z.string(),
    actorName: z.string(),
    time,
    requestID: z.string(),
    note: nullableText.meta({ description: 'What its Change-Note said of it.' }),
    changes: z.array(propertyChange),
  })
  .meta({ id: 'Revision', examples: [revisionExample] });

const revisionWithState = revisionResponse
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

/** The version in a path, as it comes: one that cannot exist is not found. */
const versionParam = idParam.extend({
  version: z.string().meta({ type: 'integer', minimum: 1 }),
});

/** The version that a path names; 404 for another spelling of its number than the one that it has. */
function versionIn(kind: Kind<Entity>, { id, version }: z.infer<typeof versionParam>): number {
  if (/^[1-9]\d{0,8}$/.test(version)) return Number(version);
  throw missingVersion(kind.title, id, version);
}

const compareQuery = z.object({
  compareTo: versionNumber
    .optional()
    .meta({ description: 'Show what changed since this version.' }),
});

/** The history of one entity, newest first; it outlives the entity. */
export function versions<E extends Entity>(shown: Pick<Shown<E>, 'kind' | 'settles'>) {
  const operation = doc(
    `List the versions of one ${nounOf(shown)}`,
    { title: 'Versions', done: 'listed' },
    listOf(revisionResponse),
  );
  const [param, query] = [valid('param', idParam), valid('query', pageQuery)];
  return createHandlers(operation, param, query, async (c) => {
    const page = requestedPage(c.req.valid('query'));
    const { id } = c.req.valid('param');
    const read = (tx: Reads) => listHistory(tx, shown.kind, id, page);
    const found = await settled(c, shown.settles, id, read);
    return listing(c, found);
  });
}

/** One version of one entity, with its state. */
export function version<E extends Entity>(shown: Pick<Shown<E>, 'kind' | 'settles'>) {
  const operation = doc(
    `Read one version of one ${nounOf(shown)}`,
    { title: 'Version', done: 'read' },
    oneOf(revisionWithState),
  );
  const [param, query] = [valid('param', versionParam), valid('query', compareQuery)];
  return createHandlers(operation, param, query, async (c) => {
    const { id } = c.req.valid('param');
    const number = versionIn(shown.kind, c.req.valid('param'));
    const { compareTo } = c.req.valid('query');
    const revision = await settled(c, shown.settles, id, (tx) =>
      readRevision(tx, shown.kind, id, number, compareTo),
    );
    return single(c, told(c), revision, revision);
  });
}

/** Refuses what no version may become. */
type Refuse<E extends Entity> = (tx: Transaction, before: E | undefined, after: E) => Promise<void>;

/** Makes an earlier version the current one, under If-Match. */
export function restore<E extends Entity>(shown: Shown<E>, remark?: Remark<E>, refuse?: Refuse<E>) {
  const { kind, response, settles } = shown;
  const summary = `Restore one version of one ${nounOf(shown)}`;
  const operation = doc(summary, done(kind, 'restored'), answerOf(response, remark));
  return createHandlers(operation, valid('param', versionParam), (c) =>
    transact(c, async (tx) => {
      const { id } = c.req.valid('param');
      const number = versionIn(kind, c.req.valid('param'));
      const [before, entity, say] = await watching(tx, settles, id, () =>
        Promise.all([
          refuse && tx.find(kind, id),
          restoreEntity(tx, kind, id, number, ifMatch(c)),
          remarking(tx, kind, id, remark),
        ]),
      );
      await refuse?.(tx, before, entity);
      return answer(c, shown, said(c, tx), entity, say(entity).members);
    }),
  );
}
