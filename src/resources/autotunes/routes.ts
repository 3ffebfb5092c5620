import { Hono } from 'hono';
import type { Resource } from '../../env.ts';
import { idParam } from '../../fields.ts';
import { commonFilters, listQuery } from '../../filters.ts';
import { entityRoutes } from '../../http/entity.ts';
import { created, listing, listOf, oneOf, single } from '../../http/envelope.ts';
import { doc, valid } from '../../http/valid.ts';
import { newAutotune, patchAutotune, replaceAutotune, viewAutotune } from './autotune.ts';
import { decide, type MoveName, move } from './lifecycle.ts';
import {
  type Autotune,
  autotuneCreate,
  autotunePatch,
  autotuneResponse,
  autotuneUpdate,
  decisionBody,
} from './schema.ts';
import { autotunes } from './table.ts';

const autotune = oneOf(autotuneResponse);

/** The moves along the lifecycle without a body. */
const bareMoves: { name: MoveName; summary: string; done: string }[] = [
  { name: 'start', summary: 'Start an autotune', done: 'started' },
  { name: 'reset', summary: 'Reset an autotune to setup', done: 'reset' },
];

const lifecycle = new Hono<Resource>();

for (const { name, summary, done } of bareMoves)
  lifecycle.put(`/:id/${name}`, doc(summary, autotune), valid('param', idParam), async (c) => {
    const { time } = c.env.tx.author;
    const { id } = c.req.valid('param');
    const entity = await autotunes.change(c, id, name, (current) => move(current, name, time));
    return single(c, `Autotune ${done} successfully.`, entity, viewAutotune(entity));
  });

lifecycle.put(
  '/:id/make_decision',
  doc('Decide for a variant of an autotune', autotune),
  valid('param', idParam),
  valid('json', decisionBody),
  async (c) => {
    const { time } = c.env.tx.author;
    const body = c.req.valid('json');
    const { id } = c.req.valid('param');
    const next = (current: Autotune) => decide(current, body, time);
    const entity = await autotunes.change(c, id, 'make_decision', next);
    return single(c, 'Decision made successfully.', entity, viewAutotune(entity));
  },
);

export const autotuneRoutes = new Hono<Resource>()
  .get(
    '/',
    doc('List autotunes', listOf(autotuneResponse)),
    valid('query', listQuery),
    async (c) => {
      const query = c.req.valid('query');
      const page = await autotunes.list(c, {
        page: query,
        filters: commonFilters(autotunes, query),
      });
      return listing(c, 'Autotunes listed successfully.', page, viewAutotune);
    },
  )
  .post('/', doc('Create an autotune', autotune, 201), valid('json', autotuneCreate), async (c) => {
    const entity = await autotunes.create(c, newAutotune(c.req.valid('json')));
    return created(c, 'Autotune created successfully.', entity, viewAutotune(entity));
  })
  .post(
    '/:id',
    doc('Fully update an autotune', autotune),
    valid('param', idParam),
    valid('json', autotuneUpdate),
    async (c) => {
      const body = c.req.valid('json');
      const { id } = c.req.valid('param');
      const next = (current: Autotune) => replaceAutotune(current, body);
      const entity = await autotunes.change(c, id, 'update', next);
      return single(c, 'Autotune updated successfully.', entity, viewAutotune(entity));
    },
  )
  .patch(
    '/:id',
    doc('Update some properties of an autotune', autotune),
    valid('param', idParam),
    valid('json', autotunePatch),
    async (c) => {
      const body = c.req.valid('json');
      const { id } = c.req.valid('param');
      const next = (current: Autotune) => patchAutotune(current, body);
      const entity = await autotunes.change(c, id, 'update', next);
      return single(c, 'Autotune updated successfully.', entity, viewAutotune(entity));
    },
  )
  .route('/', lifecycle)
  .route(
    '/',
    entityRoutes({ collection: autotunes, response: autotuneResponse, view: viewAutotune }),
  );
