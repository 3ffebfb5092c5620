import { Hono } from 'hono';
import * as z from 'zod';
import { merge } from '../../base/fields.ts';
import { idParam } from '../../base/ids.ts';
import { seal } from '../../base/sealing.ts';
import type { Service } from '../../platform/env.ts';
import { ifMatch } from '../../platform/http/conditional.ts';
import {
  dataEnvelope,
  listEnvelope,
  listing,
  pageQuery,
  requestedPage,
  respondCreated,
} from '../../platform/http/envelope.ts';
import { requires } from '../../platform/http/scope.ts';
import { changeMessage } from '../../platform/http/success.ts';
import { openReads, transact } from '../../platform/http/transact.ts';
import { doc, valid } from '../../platform/http/valid.ts';
import { removalHandlers } from '../../platform/operations/changing.ts';
import {
  restoreHandlers,
  versionHandlers,
  versionsHandlers,
} from '../../platform/operations/history.ts';
import { listQuery } from '../../platform/operations/query.ts';
import { listHandlers, readHandlers } from '../../platform/operations/reading.ts';
import { resourceOf, respondWith, successOf } from '../../platform/operations/resource.ts';
import type { Resource } from '../../platform/resource/resource.ts';
import * as entities from '../../platform/store/entities/entities.ts';
import { requirePublic } from './address.ts';
import { webhookBodies } from './body_schema.ts';
import { findDelivery, listDeliveries, sendAgain } from './deliveries.ts';
import { deliveryResponse, webhookResponse, webhookWithSecretResponse } from './schema.ts';
import { webhooks } from './table.ts';
import { randomSecret, sealedAt } from './webhook.ts';

const resource = resourceOf(webhooks, webhookResponse);

const defaults = { kinds: [], actions: [], isActive: true };

const deliveryParam = idParam.extend({ deliveryID: z.string() });

/** Returns the routes; webhooks are notified about all resources of the registry. */
export function webhookRoutes(registry: readonly Resource[]) {
  const bodies = webhookBodies(registry);
  return new Hono<Service>()
    .use(requires('admin'), requires('read'))
    .get('/', ...listHandlers(resource, listQuery))
    .post(
      '/',
      doc(
        'Create a webhook, whose secret is only shown once',
        successOf(webhooks, 'created'),
        dataEnvelope(webhookWithSecretResponse),
        { status: 201, isUnversioned: true },
      ),
      valid('json', bodies.create),
      (c) =>
        transact(c, async (tx) => {
          const { secret = randomSecret(), ...given } = c.req.valid('json');
          requirePublic(given.url, c.env);
          const id = crypto.randomUUID();
          const sealed = await seal(c.env.SEALING_KEY, sealedAt(id), secret);
          const draft = { ...defaults, ...given, id, secret: sealed };
          const webhook = await entities.createEntity(tx, webhooks, id, () => draft);
          return respondCreated(c, changeMessage(c, tx), webhook, {
            ...resource.view(webhook),
            secret,
          });
        }),
    )
    .get('/:id', ...readHandlers(resource))
    .patch(
      '/:id',
      doc(
        'Update some properties of a webhook',
        successOf(webhooks, 'updated'),
        dataEnvelope(webhookResponse),
      ),
      valid('param', idParam),
      valid('json', bodies.patch),
      (c) =>
        transact(c, async (tx) => {
          const { id } = c.req.valid('param');
          const { secret, ...given } = c.req.valid('json');
          requirePublic(given.url, c.env);
          const sealed = secret && (await seal(c.env.SEALING_KEY, sealedAt(id), secret));
          const step: entities.StagedStep = { action: 'update', ifMatch: ifMatch(c) };
          const webhook = await entities.changeEntity(tx, webhooks, id, step, (old) =>
            merge(old, { ...given, secret: sealed }),
          );
          return respondWith(c, resource, changeMessage(c, tx), webhook);
        }),
    )
    .delete('/:id', ...removalHandlers(resource))
    .get(
      '/:id/deliveries',
      doc(
        'List the deliveries of a webhook, newest first',
        { title: 'Deliveries', done: 'listed' },
        listEnvelope(deliveryResponse),
      ),
      valid('param', idParam),
      valid('query', pageQuery),
      async (c) => {
        const page = requestedPage(c.req.valid('query'));
        const found = await listDeliveries(openReads(c), c.req.valid('param').id, page);
        return listing(c, found);
      },
    )
    .put(
      '/:id/deliveries/:deliveryID/resend',
      doc(
        'Send a delivery again',
        { title: 'Delivery', done: 'queued' },
        dataEnvelope(deliveryResponse),
        {
          isUnversioned: true,
        },
      ),
      valid('param', deliveryParam),
      (c) =>
        transact(c, async (tx) => {
          const { id, deliveryID } = c.req.valid('param');
          const [delivery] = await Promise.all([
            findDelivery(tx, id, deliveryID),
            entities.readEntity(tx, webhooks, id),
          ]);
          const statements = [sendAgain(deliveryID, tx.author.time)];
          const summary = { webhookID: id, deliveryID };
          tx.loggedRows.push({ kind: 'webhook_delivery', action: 'resend', statements, summary });
          const data = { ...delivery, status: 'pending', attempts: 0, nextTime: tx.author.time };
          return c.json({ message: changeMessage(c, tx), data });
        }),
    )
    .get('/:id/versions', ...versionsHandlers(resource))
    .get('/:id/versions/:version', ...versionHandlers(resource))
    .put('/:id/versions/:version/restore', ...restoreHandlers(resource));
}
