import { changedProperties, type Entity } from './columns.ts';
import type { Database } from './database.ts';
import type { ActionName } from './log_names.ts';
import { reads } from './reads.ts';
import { staging } from './steps.ts';
import type { Author, Draft, Kind, Transaction } from './terms.ts';

const modifier = ({ actor, time }: Author) => ({
  lastModifierID: actor.id,
  lastModifierName: actor.name,
  lastModifierEmail: actor.email,
  lastModifiedTime: time,
});

/** Starts an empty transaction. */
export function transaction(db: Database, author: Author): Transaction {
  const { changes, stage, ...staged } = staging();
  const stageChange = <E extends Entity>(
    kind: Kind<E>,
    action: ActionName,
    version: number,
    before: E | undefined,
    after: E | undefined,
    id: string,
    twin?: E,
  ) => {
    const step = { kind, id, origin: self.origin, version, action, before, after };
    stage({ ...step, ...(twin && { twin }) });
  };

  const self: Transaction = {
    ...reads(db, staged),
    author,
    db,
    changes,
    imports: [],
    histories: [],
    afterwards: [],
    dryRun: false,
    origin: '',

    create<E extends Entity>(kind: Kind<E>, draft: Draft<E>, version: number) {
      const { actor, time } = author;
      const stamp = { creatorName: actor.name, createdTime: time, ...modifier(author), version };
      const creatorID = draft.creatorID ?? actor.id;
      const creatorEmail = draft.creatorEmail ?? actor.email;
      const entity = { ...draft, creatorID, creatorEmail, ...stamp } as unknown as E;
      stageChange(kind, 'create', version, undefined, entity, entity.id);
      return entity;
    },

    bring(kind, entity, isRecorded) {
      const { id, version } = entity;
      const step = { kind, id, version, origin: self.origin, before: undefined, after: entity };
      stage({ ...step, action: 'import', isRecorded });
    },

    update(kind, before, after, action) {
      if (changedProperties(before, after).length === 0) return before;
      const version = before.version + 1;
      const next = { ...after, ...modifier(author), version };
      stageChange(kind, action, version, before, next, before.id);
      return next;
    },

    restore(kind, current, snapshot, newest) {
      if (current && changedProperties(current, snapshot).length === 0) return current;
      const entity = { ...snapshot, ...modifier(author), version: newest + 1 };
      stageChange(kind, 'restore', newest + 1, current, entity, snapshot.id);
      return entity;
    },

    remove(kind, before) {
      stageChange(kind, 'delete', before.version + 1, before, undefined, before.id);
      return before;
    },

    rename(kind, before, after, version) {
      const next = { ...after, ...modifier(author), version };
      stageChange(kind, 'rename', before.version + 1, before, undefined, before.id, next);
      stageChange(kind, 'rename', version, undefined, next, next.id, before);
      return next;
    },
  };
  return self;
}
