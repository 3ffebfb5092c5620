import { sql } from 'drizzle-orm';
import { Hono } from 'hono';
import type * as z from 'zod';
import type { Service } from '../../env.ts';
import { created, oneOf } from '../../http/envelope.ts';
import { requires } from '../../http/scope.ts';
import { transact } from '../../http/transact.ts';
import { doc, valid } from '../../http/valid.ts';
import { change } from '../../operations/changing.ts';
import { restore, version, versions } from '../../operations/history.ts';
import { list, read } from '../../operations/reading.ts';
import { show } from '../../shared/fields.ts';
import type { Condition } from '../../store/reads.ts';
import { advance, type MoveName, move } from './lifecycle.ts';
import {
  phaseBody,
  type Trigger,
  type TriggerStatus,
  triggerCreate,
  triggerList,
  triggerResponse,
} from './schema.ts';
import { startRelease } from './start.ts';
import { triggers, triggerTable } from './table.ts';

const view = (entity: Trigger) => show(triggerResponse, advance(entity, Date.now()));
const shown = { kind: triggers, response: triggerResponse, view };

/**
 * A condition: triggers that have one of some statuses at a time, whether that is stored yet or not. Those that time has
 * taken on are stored as in progress.
 */
const standing = (statuses: TriggerStatus[], now: number): Condition => ({
  name: 'standing',
  where: sql`${triggerTable.status} in (select value from json_each(${sql.placeholder('stored')}))
    and case when json_extract(rest, '$.time') <= ${sql.placeholder('now')}
    then json_extract(rest, '$.status') else status end
    in (select value from json_each(${sql.placeholder('statuses')}))`,
  values: {
    now,
    statuses: JSON.stringify(statuses),
    stored: JSON.stringify([...statuses, 'IN_PROGRESS']),
  },
});

function filters(query: z.infer<typeof triggerList>) {
  const { releasePipelineID, gateID, dynamicConfigID, status } = query;
  return {
    columns: { releasePipelineID, gateID, dynamicConfigID },
    conditions: [status && standing(status, Date.now())],
  };
}

/** A move of a trigger; it names the phase that the caller takes for the current one. */
const moving = (name: MoveName, done: string, summary: string) =>
  change(shown, {
    summary,
    action: name,
    done,
    body: phaseBody,
    next: (current, { phaseID }, author) => move(current, name, phaseID, author),
  });

export const releasePipelineTriggerRoutes = new Hono<Service>()
  .use(requires('read', 'write'))
  .get('/', ...list(shown, triggerList, filters))
  .post(
    '/',
    doc('Start the release of a gate or dynamic config', oneOf(triggerResponse), 201),
    valid('json', triggerCreate),
    (c) =>
      transact(c, async (tx) => {
        const entity = await startRelease(tx, c.req.valid('json'));
        return created(c, 'Release pipeline trigger created successfully.', entity, view(entity));
      }),
  )
  .get('/:id', ...read(shown))
  .put('/:id/pause', ...moving('pause', 'paused', 'Pause the current phase of a release'))
  .put('/:id/unpause', ...moving('unpause', 'unpaused', 'Resume the wait of a paused phase'))
  .put(
    '/:id/skip',
    ...moving('skip', 'skipped', 'End the current phase now, and go on to the next'),
  )
  .put('/:id/approve', ...moving('approve', 'approved', 'Begin a phase that waits for review'))
  .put(
    '/:id/rollout',
    ...moving('rollout', 'rolled out', 'Put the rules of the last phase in force now'),
  )
  .put(
    '/:id/abort',
    ...moving('abort', 'aborted', 'End a release, and put the rules before it back'),
  )
  .get('/:id/versions', ...versions(shown))
  .get('/:id/versions/:version', ...version(shown))
  .put('/:id/versions/:version/restore', ...restore(shown));
