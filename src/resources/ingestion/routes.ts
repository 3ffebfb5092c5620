import { Hono } from 'hono';
import type { Resource } from '../../env.ts';
import { commonFilters, match } from '../../filters.ts';
import { entityRoutes } from '../../http/entity.ts';
import { created, listing, listOf, messageOnly, oneOf } from '../../http/envelope.ts';
import { etag } from '../../http/preconditions.ts';
import { doc, valid } from '../../http/valid.ts';
import { sourceCreate, sourceKey, sourceList, sourcePatch, sourceResponse } from './schema.ts';
import { newSource, patchSource, sourceID, viewSource } from './source.ts';
import { ingestionSources, ingestionSourceTable } from './table.ts';

export const ingestionRoutes = new Hono<Resource>()
  .get(
    '/',
    doc('List ingestion sources', listOf(sourceResponse)),
    valid('query', sourceList),
    async (c) => {
      const query = c.req.valid('query');
      const filters = [
        ...commonFilters(ingestionSources, query),
        match(ingestionSourceTable.dataset, query.dataset),
        match(ingestionSourceTable.type, query.type),
      ];
      const page = await ingestionSources.list(c, { page: query, filters });
      return listing(c, 'Ingestion sources listed successfully.', page, viewSource);
    },
  )
  .post(
    '/',
    doc('Create an ingestion source', oneOf(sourceResponse), 201),
    valid('json', sourceCreate),
    async (c) => {
      const source = await ingestionSources.create(c, newSource(c.req.valid('json')));
      return created(c, 'Ingestion source created successfully.', source, viewSource(source));
    },
  )
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
  )
  .route(
    '/',
    entityRoutes({ collection: ingestionSources, response: sourceResponse, view: viewSource }),
  );
