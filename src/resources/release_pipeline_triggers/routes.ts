import { inArray, sql } from 'drizzle-orm';
import { Hono } from 'hono';
import type * as z from 'zod';
import type { Resource } from '../../env.ts';
import { idParam, show } from '../../fields.ts';
import { match } from '../../filters.ts';
import { entityRoutes } from '../../http/entity.ts';
import { created, listing, listOf, oneOf, single } from '../../http/envelope.ts';
import { doc, valid } from '../../http/valid.ts';
import { advance, type MoveName, move } from './lifecycle.ts';
import { phaseBody, type Trigger, triggerCreate, triggerList, triggerResponse } from './schema.ts';
import { startRelease } from './start.ts';
import { triggers, triggerTable } from './table.ts';

const trigger = oneOf(triggerResponse);
const view = (entity: Trigger) => show(triggerResponse, advance(entity, Date.now()));

/** The status that a trigger has at a time, whether that is stored yet or not. */
const statusAt = (now: number) => sql`case when json_extract(data, '$.rest.time') <= ${now}
  then json_extract(data, '$.rest.status') else ${triggerTable.status} end`;

function filters(query: z.infer<typeof triggerList>) {
  const { releasePipelineID, gateID, dynamicConfigID, status } = query;
  return [
    match(triggerTable.releasePipelineID, releasePipelineID),
    match(triggerTable.gateID, gateID),
    match(triggerTable.dynamicConfigID, dynamicConfigID),
    status && inArray(statusAt(Date.now()), status),
  ];
}

/** The moves of a trigger; each names the phase that the caller takes for the current one. */
const operations: { name: MoveName; summary: string; done: string }[] = [
  { name: 'pause', summary: 'Pause the current phase of a release', done: 'paused' },
  { name: 'unpause', summary: 'Resume the wait of a paused phase', done: 'unpaused' },
  { name: 'skip', summary: 'End the current phase now, and go on to the next', done: 'skipped' },
  { name: 'approve', summary: 'Begin a phase that waits for review', done: 'approved' },
  { name: 'rollout', summary: 'Put the rules of the last phase in force now', done: 'rolled out' },
  { name: 'abort', summary: 'End a release, and put the rules before it back', done: 'aborted' },
];

const moveRoutes = new Hono<Resource>();

for (const { name, summary, done } of operations)
  moveRoutes.put(
    `/:id/${name}`,
    doc(summary, trigger),
    valid('param', idParam),
    valid('json', phaseBody),
    async (c) => {
      const { phaseID } = c.req.valid('json');
      const { id } = c.req.valid('param');
      const next = (current: Trigger) => move(current, name, phaseID, c.env.tx.author);
      const entity = await triggers.change(c, id, name, next);
      return single(c, `Release pipeline trigger ${done} successfully.`, entity, view(entity));
    },
  );

export const releasePipelineTriggerRoutes = new Hono<Resource>()
  .get(
    '/',
    doc('List release pipeline triggers', listOf(triggerResponse)),
    valid('query', triggerList),
    async (c) => {
      const query = c.req.valid('query');
      const page = await triggers.list(c, { page: query, filters: filters(query) });
      return listing(c, 'Release pipeline triggers listed successfully.', page, view);
    },
  )
  .post(
    '/',
    doc('Start the release of a gate or dynamic config', trigger, 201),
    valid('json', triggerCreate),
    async (c) => {
      const entity = await startRelease(c.env.tx, c.req.valid('json'));
      return created(c, 'Release pipeline trigger created successfully.', entity, view(entity));
    },
  )
  .route('/', moveRoutes)
  .route(
    '/',
    entityRoutes({ collection: triggers, response: triggerResponse, view, removable: false }),
  );
