import { Hono } from 'hono';
import { recordExposures } from '../../data/exposures/recording.ts';
import type { Service } from '../../platform/env.ts';
import { requires } from '../../platform/http/scope.ts';
import { importRows } from '../../platform/operations/importing.ts';
import { importedExposures } from './imported.ts';
import { exposuresImport } from './schema.ts';

export const exposureRoutes = new Hono<Service>().use(requires('read', 'write')).post(
  '/',
  ...importRows({
    summary: 'Record exposures that were made elsewhere',
    success: { title: 'Exposures', done: 'recorded' },
    body: exposuresImport,
    rows: ({ exposures }) => exposures,
    async stage(tx, { exposures }) {
      const statements = recordExposures(await importedExposures(tx, exposures));
      tx.loggedRows.push({
        kind: 'exposures',
        statements,
        summary: { accepted: exposures.length },
      });
    },
  }),
);
