import { Hono } from 'hono';
import type { Resource } from '../../env.ts';
import { hashKey } from '../../http/authenticate.ts';
import { created, oneOf, single } from '../../http/envelope.ts';
import { doc, valid } from '../../http/valid.ts';
import { patchRoute, transitionRoutes } from '../../operations/changing.ts';
import { entityRoutes } from '../../operations/history.ts';
import { listRoute } from '../../operations/reading.ts';
import { combine } from '../../operations/shown.ts';
import { idParam, merge, show } from '../../shared/fields.ts';
import { listQuery } from '../../shared/filters.ts';
import { type Key, keyCreate, keyPatch, keyResponse, newKeyResponse } from './schema.ts';
import { keys } from './table.ts';

const view = (key: Key) => show(keyResponse, key);
const shown = { collection: keys, response: keyResponse, view };
const hashed = async (secret: string) => ({ $secret: '<KEY>', value: await hashKey(secret) });

/** A key of 256 random bits. */
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return `console-${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

/** The operations that show a key, this once. */
const secretRoutes = new Hono<Resource>()
  .post(
    '/',
    doc('Create an API key, which is shown this once', oneOf(newKeyResponse), 201),
    valid('json', keyCreate),
    async (c) => {
      const secret = randomKey();
      const defaults = { expiresTime: null, ownerEmail: null, isActive: true };
      const id = crypto.randomUUID();
      const body = c.req.valid('json');
      const key = await keys.create(c, { ...defaults, ...body, id, hash: await hashed(secret) });
      return created(c, 'API key created successfully.', key, { ...view(key), key: secret });
    },
  )
  .patch(
    '/:id/rotate',
    doc('Replace an API key by a new one, which is shown this once', oneOf(newKeyResponse)),
    valid('param', idParam),
    async (c) => {
      const secret = randomKey();
      const hash = await hashed(secret);
      const { id } = c.req.valid('param');
      const key = await keys.change(c, id, 'rotate', (current) => ({ ...current, hash }));
      return single(c, 'API key rotated successfully.', key, { ...view(key), key: secret });
    },
  );

export const keyRoutes = combine(
  listRoute(shown, listQuery),
  secretRoutes,
  patchRoute(shown, keyPatch, merge),
  transitionRoutes(shown, [
    {
      method: 'PATCH',
      name: 'deactivate',
      summary: 'Deactivate an API key',
      done: 'deactivated',
      next: (key) => ({ ...key, isActive: false }),
    },
  ]),
  entityRoutes(shown),
);
