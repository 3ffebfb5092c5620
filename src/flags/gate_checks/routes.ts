import { Hono } from 'hono';
import { idParam } from '../../base/ids.ts';
import type { Service } from '../../platform/env.ts';
import { dataEnvelope } from '../../platform/http/envelope.ts';
import { requires } from '../../platform/http/scope.ts';
import { readMessage } from '../../platform/http/success.ts';
import { doc, valid } from '../../platform/http/valid.ts';
import { checksOfAll, checksOfGate } from './reading.ts';
import { allChecksResponse, checksQuery, gateChecksResponse } from './schema.ts';

export const checksOfGateRoutes = new Hono<Service>().use(requires('read', 'write')).get(
  '/:id/checks',
  doc(
    'Read the checks of a gate by hour and rule',
    { title: 'Checks of one gate', done: 'read' },
    dataEnvelope(gateChecksResponse),
    {
      isUntagged: true,
    },
  ),
  valid('param', idParam),
  valid('query', checksQuery),
  async (c) => {
    const data = await checksOfGate(c, c.req.valid('param').id, c.req.valid('query').days);
    return c.json({ message: readMessage(c), data });
  },
);

export const gateCheckRoutes = new Hono<Service>().use(requires('read')).get(
  '/',
  doc(
    'Read the checks of all gates by hour',
    { title: 'Checks of all gates', done: 'read' },
    dataEnvelope(allChecksResponse),
    {
      isUntagged: true,
    },
  ),
  valid('query', checksQuery),
  async (c) => {
    const data = await checksOfAll(c, c.req.valid('query').days);
    return c.json({ message: readMessage(c), data });
  },
);
