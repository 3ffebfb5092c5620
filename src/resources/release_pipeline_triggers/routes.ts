import { inArray, sql } from 'drizzle-orm';
import { Hono } from 'hono';
import type * as z from 'zod';
import type { Resource } from '../../env.ts';
import { created, oneOf } from '../../http/envelope.ts';
import { doc, valid } from '../../http/valid.ts';
import { changeRoute } from '../../operations/changing.ts';
import { entityRoutes } from '../../operations/history.ts';
import { listRoute } from '../../operations/reading.ts';
import { combine } from '../../operations/shown.ts';
import { show } from '../../shared/fields.ts';
import { match } from '../../shared/filters.ts';
import { advance, type MoveName, move } from './lifecycle.ts';
import { phaseBody, type Trigger, triggerCreate, triggerList, triggerResponse } from './schema.ts';
import { startRelease } from './start.ts';
import { triggers, triggerTable } from './table.ts';

const view = (entity: Trigger) => show(triggerResponse, advance(entity, Date.now()));
const shown = { collection: triggers, response: triggerResponse, view };

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

const moves = operations.map(({ name, summary, done }) =>
  changeRoute(shown, {
    method: 'PUT',
    path: `/${name}`,
    summary,
    action: name,
    done,
    body: phaseBody,
    next: (current, { phaseID }, author) => move(current, name, phaseID, author),
  }),
);

const creation = new Hono<Resource>().post(
  '/',
  doc('Start the release of a gate or dynamic config', oneOf(triggerResponse), 201),
  valid('json', triggerCreate),
  async (c) => {
    const entity = await startRelease(c.env.tx, c.req.valid('json'));
    return created(c, 'Release pipeline trigger created successfully.', entity, view(entity));
  },
);

export const releasePipelineTriggerRoutes = combine(
  listRoute(shown, triggerList, filters),
  creation,
  ...moves,
  entityRoutes({ ...shown, removable: false }),
);
