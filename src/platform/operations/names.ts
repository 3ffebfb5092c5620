import type * as z from 'zod';
import { counted } from '../../base/english.ts';
import { merge, type Patch, usedStamps } from '../../base/fields.ts';
import { idParam } from '../../base/ids.ts';
import { Problem } from '../../base/problem.ts';
import { memberOf } from '../../base/value_types.ts';
import { ifMatch } from '../http/conditional.ts';
import {
  dataEnvelope,
  listEnvelope,
  listing,
  pageQuery,
  requestedPage,
  single,
} from '../http/envelope.ts';
import { createHandlers } from '../http/handlers.ts';
import { changeMessage, readMessage } from '../http/success.ts';
import { openReads, transact } from '../http/transact.ts';
import { doc, valid } from '../http/valid.ts';
import { fromZod } from '../http/zod_errors.ts';
import { inSentence } from '../store/core/define_kind.ts';
import type { Entity } from '../store/core/entity.ts';
import type { HookedKind } from '../store/core/hooks.ts';
import type { Draft, Transaction } from '../store/core/transaction.ts';
import * as entities from '../store/entities/entities.ts';
import { requireMatch, requireUnregistered } from '../store/entities/preconditions.ts';
import { findMentions, type Mention, mentionIn } from '../store/lists/find_mentions.ts';
import {
  findName,
  listNames,
  type MentionedID,
  type NamingKind,
  type UsedName,
} from '../store/lists/name_usage.ts';
import { type MentionedNames, renameTo } from './renaming.ts';
import {
  type Handled,
  listSuccess,
  nounOf,
  respondWith,
  successOf,
  withArticle,
} from './resource.ts';

/** Throws Problem 400 for a used name that its registration's schema rejects. */
function requireRegistrable(body: z.ZodType, entity: Entity): void {
  const { error, data } = body.safeParse(entity);
  if (error) throw fromZod(error, entity, 'body');
  if (memberOf(data, 'name') !== memberOf(entity, 'name'))
    throw Problem.property('name', 'must not begin or end with blanks');
}

interface NameResource<E extends Entity> extends Handled<E>, MentionedNames<E> {
  kind: HookedKind<E> & NamingKind<E>;
  /** The schema of a name in lists: with its number of uses, and without stamps if it is not registered. */
  used: z.ZodType;
  draft: (name: string) => Draft<E>;
}

const noStamps = Object.fromEntries(Object.keys(usedStamps.shape).map((key) => [key, null]));

function viewName<E extends Entity>(
  resource: NameResource<E>,
  { name, uses, entity }: UsedName<E>,
) {
  return entity
    ? { ...resource.view(entity), uses }
    : { ...resource.draft(name), ...noStamps, uses };
}

/** Returns handlers that list registered and used names, by name. */
export function listUsed<E extends Entity>(resource: NameResource<E>) {
  const { kind, kinds, used } = resource;
  const operation = doc(
    `List ${nounOf(resource)}s, registered or used`,
    listSuccess(kind),
    listEnvelope(used),
  );
  return createHandlers(operation, valid('query', pageQuery), async (c) => {
    const page = await listNames(openReads(c), kind, kinds, requestedPage(c.req.valid('query')));
    return listing(c, page, (name) => viewName(resource, name));
  });
}

/** Returns handlers that read one registered or used name. */
export function readUsed<E extends Entity>(resource: NameResource<E>) {
  const { kind, kinds, used } = resource;
  const operation = doc(
    `Read one ${nounOf(resource)}`,
    successOf(kind, 'read'),
    dataEnvelope(used),
  );
  return createHandlers(operation, valid('param', idParam), async (c) => {
    const tx = openReads(c);
    const { id } = c.req.valid('param');
    const found = await findName(tx, kind, kinds, id);
    if (!found) return entities.refuseMissing(tx, kind, id);
    const version = { version: found.entity?.version ?? 0, mark: `used${found.uses}` };
    return single(c, readMessage(c), version, viewName(resource, found));
  });
}

/** Whether any entity mentions a name. Totals include neither staged changes nor mentions within rules. */
async function isUsed<E extends Entity>(
  { kind, kinds }: NameResource<E>,
  tx: Transaction,
  id: string,
): Promise<boolean> {
  const name = { kind: kind.kind, id };
  const isStaged = tx.changes.some(({ kind: of, before, after }) =>
    [before, after].some((state) => state && mentionIn(of, state, name)),
  );
  const known = isStaged ? undefined : await findName(tx, kind, kinds, id);
  return Boolean(known?.uses) || (await findMentions(tx, kinds, name)).length > 0;
}

async function registerUsed<E extends Entity>(
  resource: NameResource<E>,
  tx: Transaction,
  id: string,
): Promise<boolean> {
  if ((await tx.find(resource.kind, id)) || !(await isUsed(resource, tx, id))) return false;
  await entities.createEntity(tx, resource.kind, id, () => resource.draft(id));
  return true;
}

/** Returns handlers that update a name, registering it if necessary; a new name replaces it in every entity. */
export function patchUsed<E extends Entity>(
  resource: NameResource<E>,
  body: z.ZodType<Patch<E> & { merge?: boolean | undefined }>,
  next: (old: E, body: Patch<E>) => E = merge,
) {
  const { kind } = resource;
  const operation = doc(
    `Update some properties of ${withArticle(nounOf(resource))}; another name changes it everywhere`,
    successOf(kind, 'updated'),
    dataEnvelope(resource.response),
  );
  return createHandlers(operation, valid('param', idParam), valid('json', body), (c) =>
    transact(c, async (tx) => {
      const { id } = c.req.valid('param');
      const given = c.req.valid('json');
      const etags = ifMatch(c);
      const isNew = await registerUsed(resource, tx, id);
      if (isNew) requireUnregistered(etags);
      const before = await entities.readEntity(tx, kind, id);
      const step: entities.StagedStep = { action: 'update', ifMatch: isNew ? undefined : etags };
      const change = (old: E) => next(old, { ...given, merge: undefined }); // not a property of the name
      const to = kind.idOf?.(change(before)) ?? id;
      if (to === id) {
        const entity = await entities.changeEntity(tx, kind, id, step, change);
        if (isNew) requireRegistrable(body, entity);
        return respondWith(c, resource, changeMessage(c, tx), entity);
      }
      const mayMerge = given.merge === true;
      const renamed = await renameTo(tx, resource, before, to, { step, change, mayMerge });
      const ending = `, ${counted(renamed.count, 'entity')} changed`;
      return respondWith(
        c,
        resource,
        changeMessage(c, tx, { done: 'renamed', ending }),
        renamed.entity,
      );
    }),
  );
}

/** Throws Problem 409 listing entities that mention a name; administrative ones only for the scope admin. */
export function refuseUsed(
  { actor }: Transaction['author'],
  name: MentionedID,
  mentions: Mention[],
): void {
  if (mentions.length === 0) return;
  const mayKnow = actor.scopes.includes('admin');
  const known = mentions.filter(({ kind }) => mayKnow || !kind.isAdministrative);
  const references = known.slice(0, 100).map(({ kind, entity, property }) => ({
    kind: kind.kind,
    id: entity.id,
    property,
    refersTo: name,
  }));
  const hidden = mentions.length - known.length;
  const list = [
    ...known.slice(0, 10).map(({ kind, entity }) => `${inSentence(kind.title)} ${entity.id}`),
    ...(hidden > 0 ? [`${hidden} visible only with the scope admin`] : []),
  ];
  const message = `It is used by ${list.join(', ')}; change these first.`;
  throw new Problem('in_use', message, { members: { references } });
}

const isGateCreator = ({ kind, property }: Mention) =>
  kind.kind === 'gate' && property === 'owner.ownerEmail';

/** Returns handlers that remove the registration of an unused name. */
export function removeUsed<E extends Entity>(resource: NameResource<E>) {
  const { kind, kinds, used } = resource;
  const operation = doc(
    `Delete one unused ${nounOf(resource)}`,
    successOf(kind, 'deleted'),
    dataEnvelope(used),
  );
  return createHandlers(operation, valid('param', idParam), (c) =>
    transact(c, async (tx) => {
      const name = { kind: kind.kind, id: c.req.valid('param').id };
      const [mentions, registered] = await Promise.all([
        findMentions(tx, kinds, name),
        tx.find(kind, name.id),
      ]);
      if (registered) requireMatch(ifMatch(c), registered);
      const blocking = mentions.filter((mention) => !isGateCreator(mention));
      refuseUsed(tx.author, name, blocking);
      const entity = await entities.removeEntity(tx, kind, name.id, ifMatch(c));
      const data = viewName(resource, { name: name.id, uses: 0, entity });
      return c.json({ message: changeMessage(c, tx), data });
    }),
  );
}
