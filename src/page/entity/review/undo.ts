import { type Call, call, randomID, together } from '../../base/api.ts';
import { problemOf } from '../../base/problems.ts';
import type { Entity } from '../../base/types.ts';
import { announceChange } from '../../base/use.ts';
import { say } from '../../ui/toast.tsx';
import { type Action, type KindPage, pathOf } from '../kind.ts';

const inverses: Record<string, (entity: Entity) => string> = {
  archive: () => 'unarchive',
  delete: ({ version }) => `versions/${version}/restore`,
};

async function undo(request: Call): Promise<void> {
  try {
    say((await call(request)).message);
    announceChange();
  } catch (error) {
    say(problemOf(error).message);
  }
}

/** Displays a message about an action on entities, which offers to undo it if possible. */
export function sayDone(
  text: string,
  kind: Pick<KindPage, 'path' | 'apiPath'>,
  entities: Entity[],
  { name }: Pick<Action, 'name'>,
): void {
  const inverse = inverses[name];
  if (!inverse) {
    say(text);
    return;
  }
  const calls = entities.map((entity) => ({
    method: 'PUT' as const,
    path: `${pathOf(kind, entity.id)}/${inverse(entity)}`,
  }));
  say(text, () => undo(together(calls, randomID())));
}
