import { Hono } from 'hono';
import { idParam } from '../../base/ids.ts';
import type { Service } from '../../platform/env.ts';
import { ifMatch } from '../../platform/http/conditional.ts';
import { dataEnvelope, respondCreated, single } from '../../platform/http/envelope.ts';
import { withOverdue } from '../../platform/http/overdue.ts';
import { requires } from '../../platform/http/scope.ts';
import { changeMessage } from '../../platform/http/success.ts';
import { transact } from '../../platform/http/transact.ts';
import { doc, valid } from '../../platform/http/valid.ts';
import { changeHandlers, removalHandlers } from '../../platform/operations/changing.ts';
import {
  restoreHandlers,
  versionHandlers,
  versionsHandlers,
} from '../../platform/operations/history.ts';
import { listHandlers, readHandlers } from '../../platform/operations/reading.ts';
import { referencesHandlers } from '../../platform/operations/references.ts';
import { resourceOf, successOf } from '../../platform/operations/resource.ts';
import { abortRelease } from './abort.ts';
import { moveRelease } from './lifecycle.ts';
import type { ReleaseTransitionName } from './moves.ts';
import { overdueReleases } from './schedule.ts';
import { abortResponse, phaseBody, triggerCreate, triggerList, triggerResponse } from './schema.ts';
import { startRelease } from './start.ts';
import { triggers } from './table.ts';
import { targetOf } from './targets.ts';
import { warnOfRelease } from './warnings.ts';

const overdueChanges = [overdueReleases('id')];
const resource = { ...resourceOf(triggers, triggerResponse), overdueChanges };

const moveHandlers = (name: ReleaseTransitionName, deed: string, summary: string) =>
  changeHandlers(resource, {
    summary,
    action: name,
    done: deed,
    body: phaseBody,
    next: (current, { phaseID }, author) => moveRelease(current, name, phaseID, author),
  });

export const releasePipelineTriggerRoutes = new Hono<Service>()
  .use(requires('read', 'write'))
  .get('/', ...listHandlers(resource, triggerList))
  .post(
    '/',
    doc(
      'Start the release of a gate or dynamic config',
      successOf(triggers, 'created'),
      dataEnvelope(triggerResponse),
      { status: 201, isUnversioned: true },
    ),
    valid('json', triggerCreate),
    (c) =>
      transact(c, async (tx) => {
        const body = c.req.valid('json');
        const { target, id } = targetOf(body);
        const entity = await withOverdue(tx, [overdueReleases(target.property)], id, () =>
          startRelease(tx, body),
        );
        const warned = warnOfRelease(await tx.find(target.kind, id)); // already read for the release
        return respondCreated(c, changeMessage(c, tx), entity, resource.view(entity), warned);
      }),
  )
  .get('/:id', ...readHandlers(resource))
  .put('/:id/pause', ...moveHandlers('pause', 'paused', 'Pause the current phase of a release'))
  .put('/:id/unpause', ...moveHandlers('unpause', 'unpaused', 'Resume a paused phase'))
  .put(
    '/:id/skip',
    ...moveHandlers('skip', 'skipped', 'End the current phase now, and enter the next'),
  )
  .put(
    '/:id/approve',
    ...moveHandlers('approve', 'approved', 'Approve a phase that waits for review'),
  )
  .put(
    '/:id/rollout',
    ...moveHandlers('rollout', 'rolled out', 'Apply the rules of the last phase now'),
  )
  .put(
    '/:id/abort',
    doc(
      'Abort a release, and restore the rules before it',
      successOf(triggers, 'aborted'),
      dataEnvelope(abortResponse),
    ),
    valid('param', idParam),
    valid('json', phaseBody),
    (c) =>
      transact(c, async (tx) => {
        const { id } = c.req.valid('param');
        const { phaseID } = c.req.valid('json');
        const { trigger, takenBack } = await withOverdue(tx, overdueChanges, id, () =>
          abortRelease(tx, id, phaseID, ifMatch(c)),
        );
        return single(c, changeMessage(c, tx), trigger, { ...resource.view(trigger), takenBack });
      }),
  )
  .delete('/:id', ...removalHandlers(resource))
  .get('/:id/references', ...referencesHandlers(resource))
  .get('/:id/versions', ...versionsHandlers(resource))
  .get('/:id/versions/:version', ...versionHandlers(resource))
  .put('/:id/versions/:version/restore', ...restoreHandlers(resource));
