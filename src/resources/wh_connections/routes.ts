import { Hono } from 'hono';
import type { Resource } from '../../env.ts';
import { etag } from '../../http/conditional.ts';
import { messageOnly, oneOf, single } from '../../http/envelope.ts';
import { doc, valid } from '../../http/valid.ts';
import { entityRoutes } from '../../operations/history.ts';
import { mergeSections, sealSecrets, viewConnection } from './connection.ts';
import { type Connection, connectionPatch, connectionResponse } from './schema.ts';
import { connectionID, connections } from './table.ts';

export const connectionRoutes = new Hono<Resource>()
  .get('/', doc('Read the warehouse connections', oneOf(connectionResponse)), async (c) => {
    const message = 'Connection read successfully.';
    const connection = await c.env.tx.find(connections, connectionID);
    if (!connection) return c.json({ message, data: {} });
    return single(c, message, connection, viewConnection(connection));
  })
  .patch(
    '/',
    doc('Update some fields of the warehouse connections', messageOnly),
    valid('json', connectionPatch),
    async (c) => {
      const patch = await sealSecrets(c.req.valid('json'), c.env.SEALING_KEY);
      const draft = () => ({ id: connectionID, ...mergeSections({}, patch) });
      const next = (old: Connection) => ({ ...old, ...mergeSections(old, patch) });
      const connection = await connections.upsert(c, connectionID, draft, next);
      const headers = { ETag: etag(connection) };
      return c.json({ message: 'Connection updated successfully.' }, 200, headers);
    },
  )
  .route(
    '/',
    entityRoutes({
      collection: connections,
      response: connectionResponse,
      view: viewConnection,
      removable: false,
    }),
  );
