import { useState } from 'preact/hooks';
import type { PropertyError } from '../../../base/problem.ts';
import { randomID, together } from '../../base/api.ts';
import { pageOf } from '../../base/history_words.ts';
import { go } from '../../base/location.ts';
import type { Entity } from '../../base/types.ts';
import { cacheValue } from '../../base/use.ts';
import { Button } from '../../ui/button.tsx';
import { Note } from '../../ui/note.tsx';
import { say } from '../../ui/toast.tsx';
import { type KindPage, nameIn } from '../kind.ts';
import { entityRead, identityOf } from '../load.ts';
import { addToChangeSet } from './change_set.ts';
import { ChangeSheet } from './change_sheet.tsx';
import { type Checked, useChange } from './check.ts';
import { differences } from './compare.ts';
import { Conflict } from './conflict.tsx';
import { Differences } from './differences.tsx';
import { type EntityDraft, type OpenDraft, requestsOf } from './draft.ts';

interface ReviewProps<E extends Entity> {
  kind: KindPage<E>;
  draft: OpenDraft<E>;
  onClose: () => void;
  onErrors: (errors: PropertyError[]) => void;
}

function useRequest<E extends Entity>(
  kind: KindPage<E>,
  { base, edits }: OpenDraft<E>,
  merge: boolean,
) {
  const [once] = useState(randomID);
  const calls = (edits ? requestsOf(kind, base, edits) : []).map((call) =>
    merge ? { ...call, body: { ...call.body, merge } } : call,
  );
  /** Caches the expected result until it is read. Unregistered names are skipped, because too little is known. */
  const cacheResult = () => {
    if (base.version === 0) return;
    cacheValue(entityRead(kind, base.id), {
      ...base,
      ...edits,
      version: base.version + calls.length,
    });
  };
  return { request: calls.length > 0 ? together(calls, once) : undefined, cacheResult };
}

interface AddToChangeSetProps<E extends Entity> {
  kind: KindPage<E>;
  edit: EntityDraft<E>;
  onDone: () => void;
}

const AddToChangeSet = <E extends Entity>({ kind, edit, onDone }: AddToChangeSetProps<E>) => (
  <Button
    look="link"
    icon="list"
    onClick={() => {
      if (addToChangeSet(kind, edit)) onDone();
      else say('The change set is full.');
    }}
  >
    Add to change set
  </Button>
);

const canMerge = ({ problem }: Checked) => problem?.type.endsWith('/mergeable') === true;

interface MergeNoteProps {
  kind: KindPage;
  id: string;
  onMerge: (() => void) | undefined;
}

const MergeNote = ({ kind: { one }, id, onMerge }: MergeNoteProps) => (
  <Note look="warn" title="This name is in use." live>
    <p>{`Everything that uses “${id}” will use the other ${one}. This can't be undone.`}</p>
    {onMerge && (
      <p class="note-again">
        <Button onClick={onMerge}>Merge</Button>
      </p>
    )}
  </Note>
);

const wrongIn = (checked: Checked): PropertyError[] =>
  (checked.problem?.errors ?? []).map(({ property, errorMessage }) => {
    return { property: property.replace(/^changes\.\d+\./, ''), errorMessage };
  });

function finish<E extends Entity>({ draft, onErrors, onClose }: ReviewProps<E>, what: string) {
  draft.discard();
  onErrors([]);
  say(what);
  onClose();
}

/** The dialog that saves a draft. */
export function Review<E extends Entity>(props: ReviewProps<E>) {
  const { kind, draft, onClose, onErrors } = props;
  const { base, value, edits = {} } = draft;
  const [merge, setMerge] = useState(false);
  const { request, cacheResult } = useRequest(kind, draft, merge);
  const change = useChange(request);
  const asksMerge = canMerge(change.checked);
  if (!request) return null;
  const title = `Review: ${nameIn(kind, base)}`;
  if (change.checked.problem?.status === 412)
    return <Conflict kind={kind} draft={draft} title={title} onClose={onClose} />;
  const done = (what: string) => finish(props, `${nameIn(kind, base)} ${what}.`);
  return (
    <ChangeSheet
      title={title}
      request={request}
      change={change}
      label="Save"
      asksWhy
      doubts={kind.doubts?.(base, value)}
      kept={[draft.note, draft.explain]}
      hasOwnErrors={asksMerge}
      onStored={({ data }) => {
        cacheResult();
        done('saved');
        const id = identityOf(data);
        if (!kind.isSingle && id && id !== base.id) go(pageOf(kind, id), true);
      }}
      onClose={() => {
        onErrors(wrongIn(change.checked));
        onClose();
      }}
      ending={
        !asksMerge &&
        !merge && (
          <AddToChangeSet
            kind={kind}
            edit={{ base, edits }}
            onDone={() => done('added to the change set')}
          />
        )
      }
    >
      <Differences list={differences(base, value)} />
      {(asksMerge || merge) && (
        <MergeNote
          kind={kind}
          id={base.id}
          onMerge={asksMerge ? () => setMerge(true) : undefined}
        />
      )}
    </ChangeSheet>
  );
}
