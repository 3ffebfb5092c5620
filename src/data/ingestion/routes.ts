import { Hono } from 'hono';
import type { Service } from '../../platform/env.ts';
import { ifMatch } from '../../platform/http/conditional.ts';
import { dataEnvelope } from '../../platform/http/envelope.ts';
import { requires } from '../../platform/http/scope.ts';
import { changeMessage } from '../../platform/http/success.ts';
import { transact } from '../../platform/http/transact.ts';
import { doc, valid } from '../../platform/http/valid.ts';
import { creationHandlers, removalHandlers } from '../../platform/operations/changing.ts';
import {
  restoreHandlers,
  versionHandlers,
  versionsHandlers,
} from '../../platform/operations/history.ts';
import { listHandlers, readHandlers } from '../../platform/operations/reading.ts';
import { resourceOf, successOf } from '../../platform/operations/resource.ts';
import * as entities from '../../platform/store/entities/entities.ts';
import { etag } from '../../platform/store/entities/preconditions.ts';
import {
  changedSource,
  type IngestionSource,
  sourceCreate,
  sourceKey,
  sourceList,
  sourcePatch,
  sourceResponse,
} from './schema.ts';
import { ingestionSources, newSource, patchSource, sourceID } from './table.ts';

const resource = resourceOf(ingestionSources, sourceResponse);

export const ingestionRoutes = new Hono<Service>()
  .use(requires('read', 'write'))
  .get('/', ...listHandlers(resource, sourceList))
  .post('/', ...creationHandlers(resource, { body: sourceCreate, make: newSource }))
  .patch(
    '/',
    doc(
      'Update some properties of an ingestion source, or create it',
      undefined,
      () => changedSource,
    ),
    valid('json', sourcePatch),
    (c) =>
      transact(c, async (tx) => {
        const body = c.req.valid('json');
        const source = await entities.upsertEntity<IngestionSource>(
          tx,
          ingestionSources,
          sourceID(body),
          ifMatch(c),
          {
            draft: () => newSource(body),
            next: (current) => patchSource(current, body),
          },
        );
        return c.json(resource.view(source), 200, { ETag: etag(source) });
      }),
  )
  .delete(
    '/',
    doc(
      'Delete the ingestion source with a dataset, type and name',
      successOf(ingestionSources, 'deleted'),
      dataEnvelope(sourceResponse),
    ),
    valid('query', sourceKey),
    (c) =>
      transact(c, async (tx) => {
        const id = sourceID(c.req.valid('query'));
        const source = await entities.removeEntity(tx, ingestionSources, id, ifMatch(c));
        return c.json({ message: changeMessage(c, tx), data: resource.view(source) });
      }),
  )
  .get('/:id', ...readHandlers(resource))
  .delete('/:id', ...removalHandlers(resource))
  .get('/:id/versions', ...versionsHandlers(resource))
  .get('/:id/versions/:version', ...versionHandlers(resource))
  .put('/:id/versions/:version/restore', ...restoreHandlers(resource));
