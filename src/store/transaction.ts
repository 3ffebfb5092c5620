import { changedProperties, type Entity } from './columns.ts';
import type { Database } from './database.ts';
import { reads } from './reads.ts';
import { staging } from './steps.ts';
import type { Author, Change, Draft, Transaction } from './terms.ts';

const modifier = ({ actor, time }: Author) => ({
  lastModifierID: actor.id,
  lastModifierName: actor.name,
  lastModifierEmail: actor.email,
  lastModifiedTime: time,
});

/** A draft with the stamps of who creates it. */
function created<E extends Entity>(author: Author, draft: Draft<E>, version: number): E {
  const { actor, time } = author;
  const stamp = { creatorName: actor.name, createdTime: time, ...modifier(author), version };
  const creatorID = draft.creatorID ?? actor.id;
  const creatorEmail = draft.creatorEmail ?? actor.email;
  return { ...draft, creatorID, creatorEmail, ...stamp } as unknown as E;
}

type Verb = 'create' | 'bring' | 'update' | 'restore' | 'remove' | 'rename';

/** What can be done to entities: each is a step, or two, that is staged. */
const verbs = (
  author: Author,
  stage: (step: Omit<Change, 'origin'>) => void,
): Pick<Transaction, Verb> => ({
  create(kind, draft, version) {
    const after = created(author, draft, version);
    stage({ kind, id: after.id, action: 'create', version, before: undefined, after });
    return after;
  },

  bring(kind, after, isRecorded) {
    const { id, version } = after;
    stage({ kind, id, action: 'import', version, before: undefined, after, isRecorded });
  },

  update(kind, before, wanted, action) {
    if (changedProperties(before, wanted).length === 0) return before;
    const version = before.version + 1;
    const after = { ...wanted, ...modifier(author), version };
    stage({ kind, id: before.id, action, version, before, after });
    return after;
  },

  restore(kind, before, snapshot, newest) {
    if (before && changedProperties(before, snapshot).length === 0) return before;
    const version = newest + 1;
    const after = { ...snapshot, ...modifier(author), version };
    stage({ kind, id: snapshot.id, action: 'restore', version, before, after });
    return after;
  },

  remove(kind, before) {
    const version = before.version + 1;
    stage({ kind, id: before.id, action: 'delete', version, before, after: undefined });
    return before;
  },

  rename(kind, before, wanted, version) {
    const action = 'rename';
    const after = { ...wanted, ...modifier(author), version };
    const end = { version: before.version + 1, before, after: undefined, twin: after };
    stage({ kind, id: before.id, action, ...end });
    stage({ kind, id: after.id, action, version, before: undefined, after, twin: before });
    return after;
  },
});

/** Starts an empty transaction. */
export function transaction(db: Database, author: Author): Transaction {
  const { changes, stage, ...staged } = staging();
  const self: Transaction = {
    ...reads(db, staged),
    ...verbs(author, (step) => stage({ ...step, origin: self.origin })),
    author,
    db,
    changes,
    imports: [],
    histories: [],
    afterwards: [],
    dryRun: false,
    origin: '',
  };
  return self;
}
