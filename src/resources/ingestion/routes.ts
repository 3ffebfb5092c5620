import { Hono } from 'hono';
import type { Resource } from '../../env.ts';
import { etag } from '../../http/conditional.ts';
import { messageOnly } from '../../http/envelope.ts';
import { doc, valid } from '../../http/valid.ts';
import { createRoute } from '../../operations/changing.ts';
import { entityRoutes } from '../../operations/history.ts';
import { listRoute } from '../../operations/reading.ts';
import { combine } from '../../operations/shown.ts';
import { match } from '../../shared/filters.ts';
import { sourceCreate, sourceKey, sourceList, sourcePatch, sourceResponse } from './schema.ts';
import { newSource, patchSource, sourceID, viewSource } from './source.ts';
import { ingestionSources, ingestionSourceTable } from './table.ts';

const shown = { collection: ingestionSources, response: sourceResponse, view: viewSource };

/** The operations that find a source by what identifies it. */
const identified = new Hono<Resource>()
  .patch(
    '/',
    doc('Update some properties of an ingestion source, or create it', sourceResponse),
    valid('json', sourcePatch),
    async (c) => {
      const body = c.req.valid('json');
      const source = await ingestionSources.upsert(
        c,
        sourceID(body),
        () => newSource(body),
        (current) => patchSource(current, body),
      );
      return c.json(viewSource(source), 200, { ETag: etag(source) });
    },
  )
  .delete(
    '/',
    doc('Delete the ingestion source with a dataset, type and name', messageOnly),
    valid('query', sourceKey),
    async (c) => {
      await ingestionSources.remove(c, sourceID(c.req.valid('query')));
      return c.json({ message: 'Ingestion source deleted successfully.' });
    },
  );

export const ingestionRoutes = combine(
  listRoute(shown, sourceList, ({ dataset, type }) => [
    match(ingestionSourceTable.dataset, dataset),
    match(ingestionSourceTable.type, type),
  ]),
  createRoute(shown, { body: sourceCreate, make: newSource }),
  identified,
  entityRoutes(shown),
);
