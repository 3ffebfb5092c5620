import type * as z from 'zod';
import { ifMatch } from '../http/conditional.ts';
import { listing, listOf, oneOf, pageQuery, requestedPage, single } from '../http/envelope.ts';
import { createHandlers } from '../http/handlers.ts';
import { said, told } from '../http/success.ts';
import { open, transact } from '../http/transact.ts';
import { doc, valid } from '../http/valid.ts';
import { Problem } from '../problem.ts';
import { counted } from '../shared/english.ts';
import { merge, type Patch, usedStamps } from '../shared/fields.ts';
import { idParam } from '../shared/ids.ts';
import { inSentence } from '../store/core/define_kind.ts';
import type { Entity } from '../store/core/entity.ts';
import type { Draft, Transaction } from '../store/core/transaction.ts';
import * as entities from '../store/entities/entities.ts';
import { requireMatch, requireUnregistered } from '../store/entities/preconditions.ts';
import { type Mention, mentionsOf, saidIn } from '../store/lists/find_mentions.ts';
import {
  findName,
  listNames,
  type Names,
  type SaidName,
  type UsedName,
} from '../store/lists/name_usage.ts';
import { requireRegistrable } from './registrable.ts';
import { type NamesSaid, renameTo } from './renaming.ts';
import { answer, done, listed, nounOf, type Shown, withArticle } from './shown.ts';

/** Names that entities say, such as tags: those that are registered, and those that are only used. */
interface NamesShown<E extends Entity> extends Shown<E>, NamesSaid<E> {
  kind: Names<E>;
  /** The schema of a name in lists: with how many entities say it, and without stamps where it is not registered. */
  used: z.ZodType;
  /** What is registered of a name that is only used, before anything is said of it. */
  draft: (name: string) => Draft<E>;
}

const nothing = Object.fromEntries(Object.keys(usedStamps.shape).map((key) => [key, null]));

/** A name as lists show it. */
function viewName<E extends Entity>(shown: NamesShown<E>, { name, uses, entity }: UsedName<E>) {
  return entity ? { ...shown.view(entity), uses } : { ...shown.draft(name), ...nothing, uses };
}

/** A page of the names that are registered or used, in their own order. */
export function listUsed<E extends Entity>(shown: NamesShown<E>) {
  const { kind, kinds, used } = shown;
  const operation = doc(`List ${nounOf(shown)}s, registered or used`, listed(kind), listOf(used));
  return createHandlers(operation, valid('query', pageQuery), async (c) => {
    const page = await listNames(open(c), kind, kinds, requestedPage(c.req.valid('query')));
    return listing(c, page, (name) => viewName(shown, name));
  });
}

/** One name, registered or used. */
export function readUsed<E extends Entity>(shown: NamesShown<E>) {
  const { kind, kinds, used } = shown;
  const operation = doc(`Read one ${nounOf(shown)}`, done(kind, 'read'), oneOf(used));
  return createHandlers(operation, valid('param', idParam), async (c) => {
    const tx = open(c);
    const { id } = c.req.valid('param');
    const found = await findName(tx, kind, kinds, id);
    if (!found) return entities.refuseMissing(tx, kind, id);
    const version = { version: found.entity?.version ?? 0, mark: `used${found.uses}` };
    return single(c, told(c), version, viewName(shown, found));
  });
}

/** Whether anything says a name: totals know that of most, but not what is staged, nor what stands within rules. */
async function isUsed<E extends Entity>(
  { kind, kinds }: NamesShown<E>,
  tx: Transaction,
  id: string,
): Promise<boolean> {
  const name = { kind: kind.kind, id };
  const says = (state?: Entity) => state !== undefined && saidIn(state, name) !== undefined;
  const isStaged = tx.changes.some(({ before, after }) => says(before) || says(after));
  const known = isStaged ? undefined : await findName(tx, kind, kinds, id);
  return Boolean(known?.uses) || (await mentionsOf(tx, kinds, name)).length > 0;
}

/** Registers a name that is used only; answers whether it was only used. */
async function registerUsed<E extends Entity>(
  shown: NamesShown<E>,
  tx: Transaction,
  id: string,
): Promise<boolean> {
  if ((await tx.find(shown.kind, id)) || !(await isUsed(shown, tx, id))) return false;
  await entities.create(tx, shown.kind, id, () => shown.draft(id));
  return true;
}

/** Changes what is registered of a name, which is registered by that; another name is put in place of it everywhere. */
export function patchUsed<E extends Entity>(
  shown: NamesShown<E>,
  body: z.ZodType<Patch<E> & { merge?: boolean | undefined }>,
  next: (old: E, body: Patch<E>) => E = merge,
) {
  const { kind } = shown;
  const operation = doc(
    `Update some properties of ${withArticle(nounOf(shown))}; another name changes it everywhere`,
    done(kind, 'updated'),
    oneOf(shown.response),
  );
  return createHandlers(operation, valid('param', idParam), valid('json', body), (c) =>
    transact(c, async (tx) => {
      const { id } = c.req.valid('param');
      const given = c.req.valid('json');
      const wanted = ifMatch(c);
      const isNew = await registerUsed(shown, tx, id);
      if (isNew) requireUnregistered(wanted);
      const before = await entities.get(tx, kind, id);
      const step: entities.Step = { action: 'update', ifMatch: isNew ? undefined : wanted };
      const change = (old: E) => next(old, { ...given, merge: undefined }); // of the request alone
      const to = kind.idOf?.(change(before)) ?? id;
      if (to === id) {
        const entity = await entities.change(tx, kind, id, step, change);
        if (isNew) requireRegistrable(body, entity);
        return answer(c, shown, said(c, tx), entity);
      }
      const mayMerge = given.merge === true;
      const renamed = await renameTo(tx, shown, before, to, { step, change, mayMerge });
      const ending = `, ${counted(renamed.count, 'entity')} changed`;
      return answer(c, shown, said(c, tx, { done: 'renamed', ending }), renamed.entity);
    }),
  );
}

/** 409 that names those that say a name, where any do: those of which a key may know, and how many there are beside. */
export function refuseUsed(
  { actor }: Transaction['author'],
  name: SaidName,
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
    ...(hidden > 0 ? [`${hidden} that the scope admin is needed to see`] : []),
  ];
  const message = `It is used by ${list.join(', ')}; change these first.`;
  throw new Problem('in_use', message, { members: { references } });
}

/** Whether it says who made a gate, which nobody can change: it keeps nobody from leaving. */
const isOfRecord = ({ kind, property }: Mention) =>
  kind.kind === 'gate' && property === 'owner.ownerEmail';

/** Removes what is registered of a name that nothing says. */
export function removeUsed<E extends Entity>(shown: NamesShown<E>) {
  const { kind, kinds, used } = shown;
  const operation = doc(
    `Delete one ${nounOf(shown)}, where nothing uses it`,
    done(kind, 'deleted'),
    oneOf(used),
  );
  return createHandlers(operation, valid('param', idParam), (c) =>
    transact(c, async (tx) => {
      const name = { kind: kind.kind, id: c.req.valid('param').id };
      const [mentions, registered] = await Promise.all([
        mentionsOf(tx, kinds, name),
        tx.find(kind, name.id),
      ]);
      if (registered) requireMatch(ifMatch(c), registered);
      const holding = mentions.filter((mention) => !isOfRecord(mention));
      refuseUsed(tx.author, name, holding);
      const entity = await entities.remove(tx, kind, name.id, ifMatch(c));
      const data = viewName(shown, { name: name.id, uses: 0, entity });
      return c.json({ message: said(c, tx), data });
    }),
  );
}
