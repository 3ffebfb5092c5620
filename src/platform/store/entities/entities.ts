import type { ActionName } from '../../../base/log_names.ts';
import { Problem } from '../../../base/problem.ts';
import { isObject, memberOf } from '../../../base/value_types.ts';
import { inSentence, missing, missingVersion } from '../core/define_kind.ts';
import { changedProperties, type Entity } from '../core/entity.ts';
import type { HookedKind } from '../core/hooks.ts';
import type { Kind } from '../core/kind.ts';
import type { Model } from '../core/model.ts';
import type { Newest, Reads, Rename } from '../core/reads.ts';
import type { Draft, Transaction } from '../core/transaction.ts';
import { requireMatch } from './preconditions.ts';
import { takenByOthers } from './taken_ids.ts';

function isSameSet(one: readonly unknown[], other: readonly unknown[]): boolean {
  const members = new Set(other);
  return new Set(one).size === members.size && one.every((member) => members.has(member));
}

/** Returns the new value with every set in its stored order if its members are the same. */
function inStoredOrder(model: Model, before: unknown, after: unknown, property = ''): unknown {
  if (before === after || model.mentions.opaque.has(property)) return after;
  if (Array.isArray(before) && Array.isArray(after)) {
    if (model.sets.has(property) && isSameSet(before, after)) return before;
    return after.map((item, index) => inStoredOrder(model, before[index], item));
  }
  if (!isObject(before) || !isObject(after)) return after;
  return Object.fromEntries(
    Object.entries(after).map(([name, value]) => [
      name,
      inStoredOrder(model, before[name], value, name),
    ]),
  );
}

/** Whether a new entity may take an ID: it was never used, or its entity is gone. */
const isFree = (newest: Newest | undefined) => !newest || newest.isGone;

const idsAtOnce = 10;

/** Returns the first free one of some IDs with its history; if none is free, a taken one. */
async function firstFree<E extends Entity>(
  tx: Transaction,
  kind: Kind<E>,
  ids: readonly string[],
): Promise<{ id: string; newest: Newest | undefined }> {
  const [some, others] = [ids.slice(0, idsAtOnce), ids.slice(idsAtOnce)];
  const [newest, taken] = await Promise.all([
    tx.newestOfEach(kind, some),
    takenByOthers(tx, kind, some),
  ]);
  const free = some.find((id) => isFree(newest.get(id)) && !taken.has(id));
  if (free === undefined && others.length > 0) return firstFree(tx, kind, others);
  const [id = ''] = free === undefined ? some : [free];
  return { id, newest: newest.get(id) };
}

export interface StagedStep {
  action: ActionName;
  ifMatch: string | undefined;
}

/** Reads an entity. One round trip. @throws Problem 404 if it does not exist */
export async function readEntity<E extends Entity>(
  tx: Reads,
  kind: Kind<E>,
  id: string,
): Promise<E> {
  return (await tx.find(kind, id)) ?? (await refuseMissing(tx, kind, id));
}

/** Reads an entity with `extraColumn` from other tables. One round trip. @throws Problem 404 if it does not exist */
export async function getForResponse<E extends Entity>(
  tx: Reads,
  kind: Kind<E>,
  id: string,
): Promise<E> {
  return (await tx.findForResponse(kind, id)) ?? (await refuseMissing(tx, kind, id));
}

/** Returns a 404, which names the new ID of a renamed entity. */
export async function refuseMissing<E extends Entity>(
  tx: Reads,
  kind: Kind<E>,
  id: string,
): Promise<never> {
  if (!kind.idOf) throw missing(kind.title, id);
  const [rename, newest] = await Promise.all([tx.renamed(kind, id, 0), tx.newest(kind, id)]);
  // An entity that was created under the ID after the rename, and then deleted, is not the renamed one.
  const isLast = rename && rename.version === newest?.version;
  throw isLast ? movedTo(kind, id, rename) : missing(kind.title, id);
}

const movedTo = ({ title }: { title: string }, id: string, { newID }: Rename) =>
  new Problem('not_found', `The ${inSentence(title)} ${id} was renamed: its id is ${newID} now.`);

/** Keeps every unchanged set in its stored order. */
function inOrderOf<E extends Entity>(kind: Kind<E>, before: E, next: E): E {
  const changed = changedProperties(kind, before, next).map((property) => {
    const [old, current] = [memberOf(before, property), memberOf(next, property)];
    return [property, inStoredOrder(kind.model, old, current, property)];
  });
  return { ...next, ...Object.fromEntries(changed) };
}

/** Stages a new state with its dependent properties. A changed ID is a rename. */
export async function updateEntity<E extends Entity>(
  tx: Transaction,
  kind: HookedKind<E>,
  before: E,
  next: E,
  action: ActionName,
): Promise<E> {
  const wanted = await kind.normalize(tx, before, inOrderOf(kind, before, next));
  const id = kind.idOf?.(wanted) ?? before.id;
  if (id !== before.id) return renameEntity(tx, kind, before, { ...wanted, id });
  const after = tx.update(kind, before, wanted, action);
  if (after !== before) await kind.validate(tx, before, after);
  return after;
}

/** @throws Problem 409 if the new ID is taken */
async function renameEntity<E extends Entity>(
  tx: Transaction,
  kind: HookedKind<E>,
  before: E,
  wanted: E,
): Promise<E> {
  const newest = await tx.newest(kind, wanted.id);
  requireFree(newest);
  const after = tx.rename(kind, before, wanted, (newest?.version ?? 0) + 1);
  await kind.validate(tx, before, after);
  return after;
}

function requireFree(newest: Newest | undefined): void {
  if (!isFree(newest)) throw new Problem('taken', 'Name is already in use');
}

async function createAfter<E extends Entity>(
  tx: Transaction,
  kind: HookedKind<E>,
  newest: Newest | undefined,
  draft: Draft<E>,
): Promise<E> {
  requireFree(newest);
  const whole = { ...draft, ...(await kind.initialProperties(tx, draft.id)) };
  const after = tx.create(kind, whole, (newest?.version ?? 0) + 1);
  await kind.validate(tx, undefined, after);
  return after;
}

/** Stages a new entity. `make` shares the round trip that checks the ID. @throws Problem 409 if the ID is taken */
export async function createEntity<E extends Entity>(
  tx: Transaction,
  kind: HookedKind<E>,
  id: string,
  make: () => Promise<Draft<E>> | Draft<E>,
): Promise<E> {
  const [newest, draft] = await Promise.all([tx.newest(kind, id), make()]);
  return createAfter(tx, kind, newest, draft);
}

/** Stages a new entity under the first free ID. `read` shares the round trip. @throws Problem 409 if none is free */
export async function createFree<E extends Entity, Source>(
  tx: Transaction,
  kind: HookedKind<E>,
  ids: readonly string[],
  read: () => Promise<Source>,
  make: (source: Source, id: string) => Promise<Draft<E>> | Draft<E>,
): Promise<E> {
  const [{ id, newest }, source] = await Promise.all([firstFree(tx, kind, ids), read()]);
  return createAfter(tx, kind, newest, await make(source, id));
}

/** Stages a change of an entity. @throws Problem 404 if it does not exist, 412 if `If-Match` names another version */
export async function changeEntity<E extends Entity>(
  tx: Transaction,
  kind: HookedKind<E>,
  id: string,
  { action, ifMatch }: StagedStep,
  next: (entity: E) => E,
): Promise<E> {
  const before = await readEntity(tx, kind, id);
  requireMatch(ifMatch, before);
  return updateEntity(tx, kind, before, next(before), action);
}

/** Stages a change of an entity, or its creation from `draft`. Returns undefined if `draft` does. */
export async function upsertEntity<E extends Entity, None extends undefined = never>(
  tx: Transaction,
  kind: HookedKind<E>,
  id: string,
  ifMatch: string | undefined,
  { draft, next }: { draft: () => Draft<E> | None; next: (entity: E) => E },
): Promise<E | None> {
  const [before, newest] = await Promise.all([tx.find(kind, id), tx.newest(kind, id)]);
  requireMatch(ifMatch, before);
  if (before) return updateEntity(tx, kind, before, next(before), 'update');
  const made = draft();
  return made ? createAfter(tx, kind, newest, made) : made;
}

/** Stages the removal of an entity. Its history stays. */
export async function removeEntity<E extends Entity>(
  tx: Transaction,
  kind: HookedKind<E>,
  id: string,
  ifMatch: string | undefined,
): Promise<E> {
  const before = await readEntity(tx, kind, id);
  requireMatch(ifMatch, before);
  tx.remove(kind, before);
  await kind.validate(tx, before, undefined);
  return before;
}

/** Whether a version is before a rename away from the ID. Restoring it would create the entity twice. */
const goesOn = (version: number, rename: Rename) =>
  new Problem(
    'transition',
    `Version ${version} is from before the rename to ${rename.newID}; change or restore it there.`,
  );

/** Stages an earlier version as the current one. Restores a removed entity. */
export async function restoreEntity<E extends Entity>(
  tx: Transaction,
  kind: HookedKind<E>,
  id: string,
  version: number,
  ifMatch: string | undefined,
): Promise<E> {
  const [{ current, last, newest, snapshot }, rename] = await Promise.all([
    tx.findVersion(kind, id, version),
    kind.idOf && tx.renamed(kind, id, version),
  ]);
  if (!snapshot) throw missingVersion(kind.title, id, version);
  requireMatch(ifMatch, current);
  if (rename && !current) throw goesOn(version, rename);
  const restored = kind.normalizeRestored(snapshot, current, last);
  const whole = current ? restored : { ...restored, ...(await kind.initialProperties(tx, id)) };
  const after = tx.restore(kind, current, await kind.normalize(tx, current, whole), newest);
  if (after !== current) await kind.validate(tx, current, after);
  return after;
}
