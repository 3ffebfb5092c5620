import { forgetKeys } from '../http/authenticate.ts';
import { Problem } from '../problem.ts';
import { inSentence } from '../store/core/define_kind.ts';
import type { Entity } from '../store/core/entity.ts';
import type { Kind } from '../store/core/kind.ts';
import { withName } from '../store/core/mentions.ts';
import type { Transaction } from '../store/core/transaction.ts';
import * as entities from '../store/entities/entities.ts';
import { requireMatch } from '../store/entities/preconditions.ts';
import { type Mention, mentionsOf } from '../store/lists/find_mentions.ts';
import type { Names, SaidName } from '../store/lists/name_usage.ts';

/** A kind of names, and every kind whose entities may use them. */
export interface NamesSaid<E extends Entity> {
  kind: Names<E>;
  kinds: readonly Kind<Entity>[];
}

/** How many entities a rename may change at once. */
const mostRenamed = 5000;

/** An entity that says another name in place of one; 409 where it would contradict itself. */
function saying({ kind, entity }: Mention, from: SaidName, to: string): Entity {
  const renamed = withName(entity, from, to);
  try {
    return from.kind === 'unit_id_type' ? kind.joined(renamed) : renamed; // no other name tells overrides apart
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const of = `${inSentence(kind.title)} ${entity.id}`;
    throw new Problem('in_use', `It cannot be called ${to} in the ${of}: ${error.message}`);
  }
}

/** Puts a name in place of another, in all that say it; answers how many these are. */
function rename(tx: Transaction, mentions: Mention[], from: SaidName, to: string): number {
  const message = `More than ${mostRenamed} entities have it, too many to be changed at once.`;
  if (mentions.length > mostRenamed) throw new Problem('in_use', message);
  for (const mention of mentions)
    tx.update(mention.kind, mention.entity, saying(mention, from, to), `rename_${from.kind}`);
  tx.afterwards.push(forgetKeys); // keys say names too
  return mentions.length;
}

/**
 * Checks that a name may become another.
 * @returns whether the other is registered, so that the two become one
 * @throws Problem 409 if the other is registered or used, unless `mayMerge`
 */
async function requireMerge<E extends Entity>(
  tx: Transaction,
  { kind, kinds }: NamesSaid<E>,
  id: string,
  mayMerge: boolean,
): Promise<boolean> {
  const [registered, uses] = await Promise.all([
    tx.find(kind, id),
    mayMerge ? [] : mentionsOf(tx, kinds, { kind: kind.kind, id }),
  ]);
  if (!mayMerge && (registered || uses.length > 0))
    throw new Problem(
      'mergeable',
      `There is a ${inSentence(kind.title)} ${id} already; send "merge": true to make the two one.`,
    );
  return registered !== undefined;
}

/** A change of a registered name, and whether it may become one that exists. */
interface Renaming<E extends Entity> {
  step: entities.Step;
  change: (before: E) => E;
  mayMerge: boolean;
}

/**
 * Stages that a name becomes another everywhere. One that is registered stays, with what the body gives besides the name.
 * @returns the other name, and how many entities changed
 */
export async function renameTo<E extends Entity>(
  tx: Transaction,
  shown: NamesSaid<E>,
  before: E,
  to: string,
  { step, change, mayMerge }: Renaming<E>,
) {
  const { kind, kinds } = shown;
  requireMatch(step.ifMatch, before);
  const from = { kind: kind.kind, id: before.id };
  const [isMerge, mentions] = await Promise.all([
    requireMerge(tx, shown, to, mayMerge),
    mentionsOf(tx, kinds, from),
  ]);
  if (isMerge) await entities.remove(tx, kind, before.id, step.ifMatch);
  const [id, stepThere] = isMerge ? [to, { ...step, ifMatch: undefined }] : [before.id, step];
  const entity = await entities.change(tx, kind, id, stepThere, change);
  return { entity, count: rename(tx, mentions, from, to) };
}
