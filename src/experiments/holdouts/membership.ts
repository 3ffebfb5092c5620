import { dynamicConfigs } from '../../flags/dynamic_configs/table.ts';
import { gates } from '../../flags/gates/table.ts';
import { prompts } from '../../flags/prompts/table.ts';
import type { Member } from '../../model/membership.ts';
import type { Kind } from '../../platform/store/core/kind.ts';
import type { Transaction } from '../../platform/store/core/transaction.ts';
import { experiments } from '../experiments/table.ts';
import { layers } from '../layers/table.ts';
import type { Holdout } from './schema.ts';

export const members = [
  { property: 'gateIDs', kind: gates },
  { property: 'experimentIDs', kind: experiments },
  { property: 'layerIDs', kind: layers },
  { property: 'dynamicConfigIDs', kind: dynamicConfigs },
  { property: 'promptIDs', kind: prompts },
] as const satisfies { property: keyof Holdout; kind: Kind<Member> }[];

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
    // An imported member already has its holdouts.
    if (now.has(member.id) === member.holdoutIDs.includes(holdoutID)) continue;
    const others = member.holdoutIDs.filter((id) => id !== holdoutID);
    const holdoutIDs = now.has(member.id) ? [...others, holdoutID] : others;
    tx.update(kind, member, { ...member, holdoutIDs }, 'update_holdouts');
  }
}

/** Updates `holdoutIDs` of added and removed members, in one round trip; a missing member fails as a reference. */
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
