import { changedProperties, type Entity } from './columns.ts';
import type { Database } from './database.ts';
import type { ActionName } from './log_names.ts';
import { reads } from './reads.ts';
import type { Author, Change, Draft, Kind, Transaction } from './terms.ts';

const modifier = ({ actor, time }: Author) => ({
  lastModifierID: actor.id,
  lastModifierName: actor.name,
  lastModifierEmail: actor.email,
  lastModifiedTime: time,
});

/** Starts an empty transaction. */
export function transaction(db: Database, author: Author): Transaction {
  const changes: Change[] = [];
  const stage = <E extends Entity>(
    kind: Kind<E>,
    action: ActionName,
    version: number,
    before: E | undefined,
    after: E | undefined,
    id: string,
    twin?: E,
  ) => {
    const step = { kind, id, origin: self.origin, version, action, before, after };
    changes.push({ ...step, ...(twin && { twin }) });
  };

  const stepsOf = ({ kind }: Pick<Kind<Entity>, 'kind'>) =>
    changes.filter((change) => change.kind.kind === kind);

  const states = <E extends Entity>(kind: Kind<E>) => {
    const last = new Map(stepsOf(kind).map((change) => [change.id, change]));
    return [...last.values()].map((change) => ({
      ...change,
      isGone: change.after === undefined,
      after: change.after as E | undefined,
    }));
  };

  const snapshot = <E extends Entity>(kind: Kind<E>, id: string, version: number) => {
    const isWanted = (change: Change) => change.id === id && change.version === version;
    const step = stepsOf(kind).find(isWanted);
    return (step?.after ?? step?.before) as E | undefined;
  };

  const self: Transaction = {
    ...reads(db, { states, snapshot }),
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
      stage(kind, 'create', version, undefined, entity, entity.id);
      return entity;
    },

    bring(kind, entity, isRecorded) {
      const { id, version } = entity;
      const step = { kind, id, version, origin: self.origin, before: undefined, after: entity };
      changes.push({ ...step, action: 'import', isRecorded });
    },

    update(kind, before, after, action) {
      if (changedProperties(before, after).length === 0) return before;
      const version = before.version + 1;
      const next = { ...after, ...modifier(author), version };
      stage(kind, action, version, before, next, before.id);
      return next;
    },

    restore(kind, current, snapshot, newest) {
      if (current && changedProperties(current, snapshot).length === 0) return current;
      const entity = { ...snapshot, ...modifier(author), version: newest + 1 };
      stage(kind, 'restore', newest + 1, current, entity, snapshot.id);
      return entity;
    },

    remove(kind, before) {
      stage(kind, 'delete', before.version + 1, before, undefined, before.id);
      return before;
    },

    rename(kind, before, after, version) {
      const next = { ...after, ...modifier(author), version };
      stage(kind, 'rename', before.version + 1, before, undefined, before.id, next);
      stage(kind, 'rename', version, undefined, next, next.id, before);
      return next;
    },
  };
  return self;
}
