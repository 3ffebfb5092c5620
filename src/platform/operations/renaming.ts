import { Problem } from '../../base/problem.ts';
import { forgetKeys } from '../http/authenticate.ts';
import { inSentence } from '../store/core/define_kind.ts';
import type { Entity } from '../store/core/entity.ts';
import type { HookedKind } from '../store/core/hooks.ts';
import type { Kind } from '../store/core/kind.ts';
import { withName } from '../store/core/mentions.ts';
import type { Transaction } from '../store/core/transaction.ts';
import * as entities from '../store/entities/entities.ts';
import { requireMatch } from '../store/entities/preconditions.ts';
import { findMentions, type Mention } from '../store/lists/find_mentions.ts';
import type { MentionedID, NamingKind } from '../store/lists/name_usage.ts';

export interface MentionedNames<E extends Entity> {
  kind: HookedKind<E> & NamingKind<E>;
  kinds: readonly Kind<Entity>[];
}

const maxRenamed = 5000;

/** @throws Problem 409 if its overrides would conflict */
function withMention({ kind, entity }: Mention, from: MentionedID, to: string): Entity {
  const renamed = withName(kind, entity, from, to);
  try {
    return from.kind === 'unit_id_type' ? kind.mergeOverrides(renamed) : renamed; // only these names distinguish overrides
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const of = `${inSentence(kind.title)} ${entity.id}`;
    throw new Problem('in_use', `The name ${to} does not work in the ${of}: ${error.message}`);
  }
}

function renameMentions(
  tx: Transaction,
  mentions: Mention[],
  from: MentionedID,
  to: string,
): number {
  const message = `More than ${maxRenamed} entities use the name; rename it in some of them first.`;
  if (mentions.length > maxRenamed) throw new Problem('in_use', message);
  for (const mention of mentions)
    tx.update(mention.kind, mention.entity, withMention(mention, from, to), `rename_${from.kind}`);
  tx.afterCommit.push(forgetKeys); // keys mention names too
  return mentions.length;
}

/** Returns whether the other name is registered. @throws Problem 409 if it is in use, unless `mayMerge` */
async function requireMerge<E extends Entity>(
  tx: Transaction,
  { kind, kinds }: MentionedNames<E>,
  id: string,
  mayMerge: boolean,
): Promise<boolean> {
  const [registered, uses] = await Promise.all([
    tx.find(kind, id),
    mayMerge ? [] : findMentions(tx, kinds, { kind: kind.kind, id }),
  ]);
  if (!mayMerge && (registered || uses.length > 0))
    throw new Problem(
      'mergeable',
      `There is a ${inSentence(kind.title)} ${id} already; send "merge": true to merge the two.`,
    );
  return registered !== undefined;
}

interface Renaming<E extends Entity> {
  step: entities.StagedStep;
  change: (before: E) => E;
  mayMerge: boolean;
}

/** Stages that a name replaces another everywhere. A registered target keeps properties that the body lacks. */
export async function renameTo<E extends Entity>(
  tx: Transaction,
  resource: MentionedNames<E>,
  before: E,
  to: string,
  { step, change, mayMerge }: Renaming<E>,
) {
  const { kind, kinds } = resource;
  requireMatch(step.ifMatch, before);
  const from = { kind: kind.kind, id: before.id };
  const [isMerge, mentions] = await Promise.all([
    requireMerge(tx, resource, to, mayMerge),
    findMentions(tx, kinds, from),
  ]);
  if (isMerge) await entities.removeEntity(tx, kind, before.id, step.ifMatch);
  const [id, stepThere] = isMerge ? [to, { ...step, ifMatch: undefined }] : [before.id, step];
  const entity = await entities.changeEntity(tx, kind, id, stepThere, change);
  return { entity, count: renameMentions(tx, mentions, from, to) };
}
