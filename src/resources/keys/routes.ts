import { Hono } from 'hono';
import type { Resource } from '../../env.ts';
import { idParam, merge, show } from '../../fields.ts';
import { commonFilters, listQuery } from '../../filters.ts';
import { hashKey } from '../../http/authenticate.ts';
import { entityRoutes } from '../../http/entity.ts';
import { created, listing, listOf, oneOf, single } from '../../http/envelope.ts';
import { doc, valid } from '../../http/valid.ts';
import { type Key, keyCreate, keyPatch, keyResponse, newKeyResponse } from './schema.ts';
import { keys } from './table.ts';

const view = (key: Key) => show(keyResponse, key);
const hashed = async (secret: string) => ({ $secret: '<KEY>', value: await hashKey(secret) });

/** A key of 256 random bits. */
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return `console-${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

export const keyRoutes = new Hono<Resource>()
  .get('/', doc('List API keys', listOf(keyResponse)), valid('query', listQuery), async (c) => {
    const query = c.req.valid('query');
    const page = await keys.list(c, { page: query, filters: commonFilters(keys, query) });
    return listing(c, 'API keys listed successfully.', page, view);
  })
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
    '/:id',
    doc('Update some properties of an API key', oneOf(keyResponse)),
    valid('param', idParam),
    valid('json', keyPatch),
    async (c) => {
      const body = c.req.valid('json');
      const { id } = c.req.valid('param');
      const key = await keys.change(c, id, 'update', (current) => merge(current, body));
      return single(c, 'API key updated successfully.', key, view(key));
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
  )
  .patch(
    '/:id/deactivate',
    doc('Deactivate an API key', oneOf(keyResponse)),
    valid('param', idParam),
    async (c) => {
      const { id } = c.req.valid('param');
      const next = (current: Key) => ({ ...current, isActive: false });
      const key = await keys.change(c, id, 'deactivate', next);
      return single(c, 'API key deactivated successfully.', key, view(key));
    },
  )
  .route('/', entityRoutes({ collection: keys, response: keyResponse, view }));
