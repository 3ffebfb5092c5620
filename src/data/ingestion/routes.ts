import { Hono } from 'hono';
import type { Service } from '../../platform/env.ts';
import { ifMatch } from '../../platform/http/conditional.ts';
import { oneOf } from '../../platform/http/envelope.ts';
import { requires } from '../../platform/http/scope.ts';
import { changeMessage } from '../../platform/http/success.ts';
import { transact } from '../../platform/http/transact.ts';
import { doc, valid } from '../../platform/http/valid.ts';
import { create, remove } from '../../platform/operations/changing.ts';
import { restore, version, versions } from '../../platform/operations/history.ts';
import { listHandlers, read } from '../../platform/operations/reading.ts';
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
  .post('/', ...create(resource, { body: sourceCreate, make: newSource }))
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
        const source = await entities.upsert<IngestionSource>(
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
      oneOf(sourceResponse),
    ),
    valid('query', sourceKey),
    (c) =>
      transact(c, async (tx) => {
        const id = sourceID(c.req.valid('query'));
        const source = await entities.remove(tx, ingestionSources, id, ifMatch(c));
        return c.json({ message: changeMessage(c, tx), data: resource.view(source) });
      }),
  )
  .get('/:id', ...read(resource))
  .delete('/:id', ...remove(resource))
  .get('/:id/versions', ...versions(resource))
  .get('/:id/versions/:version', ...version(resource))
  .put('/:id/versions/:version/restore', ...restore(resource));
