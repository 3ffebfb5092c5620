import type { Stamps } from '../../../base/fields.ts';
import type { Author } from '../core/author.ts';
import { changedProperties, type Entity } from '../core/entity.ts';
import type { Draft, StagedChange, Transaction } from '../core/transaction.ts';
import { type Database, type ReadCache, readingOnce } from '../sql/database.ts';
import { reads } from './staged_reads.ts';
import { staging } from './staging.ts';

const modifier = ({ actor, time }: Author) => ({
  lastModifierID: actor.id,
  lastModifierName: actor.name,
  lastModifierEmail: actor.email,
  lastModifiedTime: time,
});

export const creationStamps = (author: Author, version: number): Stamps => ({
  creatorID: author.actor.id,
  creatorEmail: author.actor.email,
  creatorName: author.actor.name,
  createdTime: author.time,
  ...modifier(author),
  version,
});

function createdEntity<E extends Entity>(author: Author, draft: Draft<E>, version: number): E {
  const stamps = creationStamps(author, version);
  const creatorID = draft.creatorID ?? stamps.creatorID;
  const creatorEmail = draft.creatorEmail ?? stamps.creatorEmail;
  // A draft has every property except the stamps.
  return { ...draft, ...stamps, creatorID, creatorEmail } as unknown as E;
}

type Stage = (change: Omit<StagedChange, 'origin' | 'bodyPrefixes'>) => void;

const creating = (
  author: Author,
  stage: Stage,
): Pick<Transaction, 'create' | 'importEntity' | 'restore'> => ({
  create(kind, draft, version) {
    const after = createdEntity(author, draft, version);
    stage({ kind, id: after.id, action: 'create', version, before: undefined, after });
    return after;
  },

  importEntity(kind, after, isRecorded) {
    const { id, version } = after;
    stage({ kind, id, action: 'import', version, before: undefined, after, isRecorded });
  },

  restore(kind, before, snapshot, newestVersion) {
    if (before && changedProperties(kind, before, snapshot).length === 0) return before;
    const version = newestVersion + 1;
    const after = { ...snapshot, ...modifier(author), version };
    stage({ kind, id: snapshot.id, action: 'restore', version, before, after });
    return after;
  },
});

const changing = (
  author: Author,
  stage: Stage,
): Pick<Transaction, 'update' | 'remove' | 'rename'> => ({
  update(kind, before, wanted, action) {
    if (changedProperties(kind, before, wanted).length === 0) return before;
    const version = before.version + 1;
    const after = { ...wanted, ...modifier(author), version };
    stage({ kind, id: before.id, action, version, before, after });
    return after;
  },

  remove(kind, before) {
    const version = before.version + 1;
    stage({ kind, id: before.id, action: 'delete', version, before, after: undefined });
  },

  rename(kind, before, wanted, version) {
    const action = 'rename';
    const after = { ...wanted, ...modifier(author), version };
    const end = { version: before.version + 1, before, after: undefined, renamedTo: after };
    stage({ kind, id: before.id, action, ...end });
    stage({ kind, id: after.id, action, version, before: undefined, after, renamedFrom: before });
    return after;
  },
});

/** Returns an empty transaction. `readCache` has rows of an earlier transaction, which are not read again. */
export function transaction(
  db: Database,
  author: Author,
  readCache: ReadCache = new Map(),
): Transaction {
  const { changes, stage, ...staged } = staging();
  const stageHere: Stage = (change) => {
    const { origin, bodyPrefixes } = self;
    stage({ ...change, origin, bodyPrefixes });
  };
  const self: Transaction = {
    ...reads(readingOnce(db, readCache), author.time, staged),
    ...creating(author, stageHere),
    ...changing(author, stageHere),
    author,
    db,
    readCache,
    changes,
    loggedRows: [],
    histories: [],
    lastStatements: [],
    afterCommit: [],
    dryRun: false,
    origin: '',
    bodyPrefixes: new Map(),
  };
  return self;
}
