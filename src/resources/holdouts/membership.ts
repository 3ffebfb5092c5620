import type { Kind } from '../../store/core/kind.ts';
import type { Transaction } from '../../store/core/transaction.ts';
import { dynamicConfigs } from '../dynamic_configs/table.ts';
import { experiments } from '../experiments/table.ts';
import { gates } from '../gates/table.ts';
import { layers } from '../layers/table.ts';
import { prompts } from '../prompts/table.ts';
import type { Member } from './member.ts';
import type { Holdout } from './schema.ts';

/** What a holdout can take in, and the property that lists it. */
export const members = [
  { property: 'gateIDs', kind: gates },
  { property: 'experimentIDs', kind: experiments },
  { property: 'layerIDs', kind: layers },
  { property: 'dynamicConfigIDs', kind: dynamicConfigs },
  { property: 'promptIDs', kind: prompts },
] as const satisfies { property: keyof Holdout; kind: Kind<Member> }[];

/** The members of one kind that join or leave a holdout. */
async function updateMembersOf(
  tx: Transaction,
  kind: Kind<Member>,
  holdoutID: string,
  before: string[],
  after: string[],
) {
  const [old, now] = [new Set(before), new Set(after)];
  const moving = [...before.filter((id) => !now.has(id)), ...after.filter((id) => !old.has(id))];
  for (const member of await tx.findMany(kind, moving)) {
    // It comes from elsewhere with its holdouts, where both were imported.
    if (now.has(member.id) === member.holdoutIDs.includes(holdoutID)) continue;
    const others = member.holdoutIDs.filter((id) => id !== holdoutID);
    const holdoutIDs = now.has(member.id) ? [...others, holdoutID] : others;
    tx.update(kind, member, { ...member, holdoutIDs }, 'update_holdouts');
  }
}

/**
 * Brings the `holdoutIDs` of members into line with a change of a holdout: both sides say the same at all times.
 * One round trip, however many members join and leave. A member that does not exist is refused as a reference.
 */
export async function updateMembers(
  tx: Transaction,
  before: Holdout | undefined,
  after: Holdout | undefined,
): Promise<void> {
  const holdoutID = after?.id ?? before?.id ?? '';
  await Promise.all(
    members.map(({ property, kind }) =>
      updateMembersOf(tx, kind, holdoutID, before?.[property] ?? [], after?.[property] ?? []),
    ),
  );
}
