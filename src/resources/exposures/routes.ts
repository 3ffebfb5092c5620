import { Hono } from 'hono';
import type { Service } from '../../env.ts';
import { imported, importOf } from '../../http/envelope.ts';
import { countRows } from '../../http/rate_limit.ts';
import { requires } from '../../http/scope.ts';
import { said } from '../../http/success.ts';
import { transact } from '../../http/transact.ts';
import { doc, valid } from '../../http/valid.ts';
import { importedExposures } from './imported.ts';
import { recordExposures } from './recording.ts';
import { exposuresImport } from './schema.ts';

export const exposureRoutes = new Hono<Service>()
  .use(requires('read', 'write'))
  .post(
    '/',
    doc(
      'Record exposures that were made elsewhere',
      { title: 'Exposures', done: 'recorded' },
      importOf,
      201,
      { isUnversioned: true },
    ),
    valid('json', exposuresImport),
    async (c) => {
      const given = c.req.valid('json').exposures;
      await countRows(c, given);
      return transact(c, async (tx) => {
        const exposures = await importedExposures(tx, given);
        const summary = { accepted: exposures.length };
        tx.imports.push({ kind: 'exposures', statements: recordExposures(exposures), summary });
        return imported(c, said(c, tx), exposures);
      });
    },
  );
