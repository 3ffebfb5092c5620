import { Hono } from 'hono';
import { sha256Hex } from '../../base/sha256.ts';
import type { Service } from '../../platform/env.ts';
import { ifMatch } from '../../platform/http/conditional.ts';
import { dataEnvelope, single } from '../../platform/http/envelope.ts';
import { requires } from '../../platform/http/scope.ts';
import { changeMessage, readMessage } from '../../platform/http/success.ts';
import { openReads, transact } from '../../platform/http/transact.ts';
import { doc, valid } from '../../platform/http/valid.ts';
import {
  restoreHandlers,
  versionHandlers,
  versionsHandlers,
} from '../../platform/operations/history.ts';
import { refuseUsed } from '../../platform/operations/names.ts';
import { readHandlers } from '../../platform/operations/reading.ts';
import { resourceOf } from '../../platform/operations/resource.ts';
import { kindsOf, type Resource } from '../../platform/resource/resource.ts';
import type { Entity } from '../../platform/store/core/entity.ts';
import type { Kind } from '../../platform/store/core/kind.ts';
import { mentionedIDs } from '../../platform/store/core/mentions.ts';
import type { Transaction } from '../../platform/store/core/transaction.ts';
import * as entities from '../../platform/store/entities/entities.ts';
import { findMentions } from '../../platform/store/lists/find_mentions.ts';
import { usesOfNames } from '../../platform/store/lists/name_usage.ts';
import {
  completeEnvironments,
  defaultEnvironments,
  type Environments,
  environmentsRead,
  environmentsResponse,
  environmentsUpdate,
} from './schema.ts';
import { environmentsID, environments as kind } from './table.ts';

type Kinds = readonly Kind<Entity>[];

type Environment = Environments['environments'][number];

const resource = resourceOf(kind, environmentsResponse);

function withUses(configured: Environment[], uses: Map<string, number>) {
  const names = new Set(configured.map(({ name }) => name));
  const unconfigured = [...uses.keys()]
    .filter((name) => !names.has(name))
    .map((name) => ({ name }));
  const all = [...configured, ...completeEnvironments({ environments: unconfigured })];
  return all.map((one) => ({ ...one, uses: uses.get(one.name) ?? 0 }));
}

/** A search reads all entities and conflicts with every change: without totals or staged changes, only one is made. */
async function refuseUsedRemovals(
  kinds: Kinds,
  tx: Transaction,
  before: Environments | undefined,
  after: Environments,
) {
  const kept = new Set(after.environments.map(({ name }) => name));
  const [first, ...unconfigured] = (before?.environments ?? defaultEnvironments)
    .filter(({ name }) => !kept.has(name))
    .map(({ name }) => ({ kind: 'environment' as const, id: name }));
  if (!first) return;
  const [mentions, uses] = await Promise.all([
    findMentions(tx, kinds, first),
    usesOfNames(tx, kinds, 'environment'),
  ]);
  refuseUsed(tx.author, first, mentions);
  const staged = new Set(
    tx.changes.flatMap(({ kind, after }) =>
      after ? mentionedIDs(kind, after, 'environment') : [],
    ),
  );
  for (const name of unconfigured.filter(({ id }) => uses.has(id) || staged.has(id)))
    refuseUsed(tx.author, name, await findMentions(tx, kinds, name));
}

/** Returns the routes; uses are counted in all resources of the registry. */
export function environmentRoutes(registry: readonly Resource[]) {
  const kinds = kindsOf(registry);
  return new Hono<Service>()
    .use(requires('read', 'write'))
    .get(
      '/',
      doc(
        'List the environments',
        { title: 'Environments', done: 'listed' },
        dataEnvelope(environmentsRead),
      ),
      async (c) => {
        const tx = openReads(c);
        const [list, uses] = await Promise.all([
          tx.find(kind, environmentsID),
          usesOfNames(tx, kinds, 'environment'),
        ]);
        const environments = withUses(list?.environments ?? defaultEnvironments, uses);
        if (!list) return c.json({ message: readMessage(c), data: { environments } });
        const mark = `used${sha256Hex(JSON.stringify(environments)).slice(0, 16)}`;
        const data = { ...resource.view(list), environments };
        return single(c, readMessage(c), { version: list.version, mark }, data);
      },
    )
    .post(
      '/',
      doc(
        'Set the environments, all of them',
        { title: 'Environments', done: 'set' },
        dataEnvelope(environmentsResponse),
        { replaces: true },
      ),
      valid('json', environmentsUpdate),
      (c) =>
        transact(c, async (tx) => {
          const environments = completeEnvironments(c.req.valid('json'));
          const [before, list] = await Promise.all([
            tx.find(kind, environmentsID),
            entities.upsertEntity<Environments>(tx, kind, environmentsID, ifMatch(c), {
              draft: () => ({ id: environmentsID, environments }),
              next: (old) => ({ ...old, environments }),
            }),
          ]);
          await refuseUsedRemovals(kinds, tx, before, list);
          return single(c, changeMessage(c, tx), list, resource.view(list));
        }),
    )
    .get('/:id', ...readHandlers(resource))
    .get('/:id/versions', ...versionsHandlers(resource))
    .get('/:id/versions/:version', ...versionHandlers(resource))
    .put(
      '/:id/versions/:version/restore',
      ...restoreHandlers(resource, undefined, (...change) => refuseUsedRemovals(kinds, ...change)),
    );
}
