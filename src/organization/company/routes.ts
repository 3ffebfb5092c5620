import { Hono } from 'hono';
import { merge } from '../../base/fields.ts';
import type { Service } from '../../platform/env.ts';
import { ifMatch } from '../../platform/http/conditional.ts';
import { dataEnvelope, single } from '../../platform/http/envelope.ts';
import { requires } from '../../platform/http/scope.ts';
import { changeMessage, readMessage } from '../../platform/http/success.ts';
import { openReads, transact } from '../../platform/http/transact.ts';
import { doc, valid } from '../../platform/http/valid.ts';
import {
  restoreHandlers,
  versionHandlers,
  versionsHandlers,
} from '../../platform/operations/history.ts';
import { readHandlers } from '../../platform/operations/reading.ts';
import { resourceOf, respondWith, successOf } from '../../platform/operations/resource.ts';
import * as entities from '../../platform/store/entities/entities.ts';
import { columnsOf } from '../../platform/store/sql/columns.ts';
import { compileQuery, query } from '../../platform/store/sql/statement.ts';
import { type Company, companyPatch, companyRead, companyResponse } from './schema.ts';
import { companies, companyTable, deployment } from './table.ts';

const resource = resourceOf(companies, companyResponse);

const defaults = { name: 'Experimentation Console', strict: false };

const deploymentOf = compileQuery(query.select().from(deployment));
const companyOf = compileQuery(query.select(columnsOf(companyTable)).from(companyTable));

export const companyRoutes = new Hono<Service>()
  .use(requires('read', 'admin'))
  .get(
    '/',
    doc(
      'Read the name and id of this deployment',
      successOf(companies, 'read'),
      dataEnvelope(companyRead),
    ),
    async (c) => {
      const [[company], [row]] = await openReads(c).read(companyOf(), deploymentOf());
      if (company) return single(c, readMessage(c), company, resource.view(company));
      return c.json({ message: readMessage(c), data: { id: row?.id ?? '', ...defaults } });
    },
  )
  .patch(
    '/',
    doc(
      'Name this deployment, or make it strict',
      successOf(companies, 'updated'),
      dataEnvelope(companyRead),
    ),
    valid('json', companyPatch),
    (c) =>
      transact(c, async (tx) => {
        const body = c.req.valid('json');
        const [[row]] = await tx.read(deploymentOf());
        const id = row?.id ?? '';
        const initial = { id, ...defaults };
        const company = await entities.upsertEntity(tx, companies, id, ifMatch(c), {
          draft: () => (Object.keys(body).length === 0 ? undefined : { ...initial, ...body }),
          next: (old: Company) => merge(old, body),
        });
        if (!company) return c.json({ message: changeMessage(c, tx), data: initial });
        return respondWith(c, resource, changeMessage(c, tx), company);
      }),
  )
  .get('/:id', ...readHandlers({ ...resource, response: companyRead }))
  .get('/:id/versions', ...versionsHandlers(resource))
  .get('/:id/versions/:version', ...versionHandlers(resource))
  .put('/:id/versions/:version/restore', ...restoreHandlers(resource));
