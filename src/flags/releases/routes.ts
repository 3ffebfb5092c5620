import { Hono } from 'hono';
import { idParam } from '../../base/ids.ts';
import type { Service } from '../../platform/env.ts';
import { ifMatch } from '../../platform/http/conditional.ts';
import { created, oneOf, single } from '../../platform/http/envelope.ts';
import { withOverdue } from '../../platform/http/overdue.ts';
import { requires } from '../../platform/http/scope.ts';
import { changeMessage } from '../../platform/http/success.ts';
import { transact } from '../../platform/http/transact.ts';
import { doc, valid } from '../../platform/http/valid.ts';
import { change, remove } from '../../platform/operations/changing.ts';
import { restore, version, versions } from '../../platform/operations/history.ts';
import { listHandlers, read } from '../../platform/operations/reading.ts';
import { references } from '../../platform/operations/references.ts';
import { resourceOf, successOf } from '../../platform/operations/resource.ts';
import { abortRelease } from './abort.ts';
import { move } from './lifecycle.ts';
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
  change(resource, {
    summary,
    action: name,
    done: deed,
    body: phaseBody,
    next: (current, { phaseID }, author) => move(current, name, phaseID, author),
  });

export const releasePipelineTriggerRoutes = new Hono<Service>()
  .use(requires('read', 'write'))
  .get('/', ...listHandlers(resource, triggerList))
  .post(
    '/',
    doc(
      'Start the release of a gate or dynamic config',
      successOf(triggers, 'created'),
      oneOf(triggerResponse),
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
        return created(c, changeMessage(c, tx), entity, resource.view(entity), warned);
      }),
  )
  .get('/:id', ...read(resource))
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
      oneOf(abortResponse),
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
  .delete('/:id', ...remove(resource))
  .get('/:id/references', ...references(resource))
  .get('/:id/versions', ...versions(resource))
  .get('/:id/versions/:version', ...version(resource))
  .put('/:id/versions/:version/restore', ...restore(resource));
