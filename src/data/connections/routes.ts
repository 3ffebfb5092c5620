import { Hono } from 'hono';
import type { Service } from '../../platform/env.ts';
import { ifMatch } from '../../platform/http/conditional.ts';
import { dataEnvelope, messageOnly, single } from '../../platform/http/envelope.ts';
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
import { successOf } from '../../platform/operations/resource.ts';
import * as entities from '../../platform/store/entities/entities.ts';
import { etag } from '../../platform/store/entities/preconditions.ts';
import { mergeSections, requireFields, sealSecrets, viewConnection } from './connection.ts';
import { type Connection, connectionPatch, connectionResponse } from './schema.ts';
import { connectionID, connections } from './table.ts';

const resource = { kind: connections, response: connectionResponse, view: viewConnection };

export const connectionRoutes = new Hono<Service>()
  .use(requires('admin'))
  .get(
    '/',
    doc(
      'Read the warehouse connections',
      successOf(connections, 'read'),
      dataEnvelope(connectionResponse),
    ),
    async (c) => {
      const connection = await openReads(c).find(connections, connectionID);
      if (!connection) return c.json({ message: readMessage(c), data: {} });
      return single(c, readMessage(c), connection, viewConnection(connection));
    },
  )
  .patch(
    '/',
    doc(
      'Update some fields of the warehouse connections',
      successOf(connections, 'updated'),
      messageOnly,
    ),
    valid('json', connectionPatch),
    (c) =>
      transact(c, async (tx) => {
        const body = c.req.valid('json');
        requireFields(body);
        const patch = await sealSecrets(body, c.env.SEALING_KEY);
        const connection = await entities.upsertEntity(tx, connections, connectionID, ifMatch(c), {
          draft: () =>
            Object.keys(patch).length === 0
              ? undefined
              : { id: connectionID, ...mergeSections({}, patch) },
          next: (old: Connection) => ({ ...old, ...mergeSections(old, patch) }),
        });
        const headers = connection && { ETag: etag(connection) };
        return c.json({ message: changeMessage(c, tx) }, 200, headers);
      }),
  )
  .get('/:id', ...readHandlers(resource))
  .get('/:id/versions', ...versionsHandlers(resource))
  .get('/:id/versions/:version', ...versionHandlers(resource))
  .put('/:id/versions/:version/restore', ...restoreHandlers(resource));
