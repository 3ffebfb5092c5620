import { useState } from 'preact/hooks';
import { randomID, together } from '../api.ts';
import { differences } from '../compare.ts';
import type { Entity } from '../types.ts';
import { Button } from '../ui/button.tsx';
import { say } from '../ui/toast.tsx';
import { titleOf } from '../words.ts';
import { putAside } from './change_set.ts';
import { ChangeSheet } from './change_sheet.tsx';
import { useChange } from './check.ts';
import { Conflict } from './conflict.tsx';
import { Differences } from './differences.tsx';
import { requestsOf, type useDraft } from './draft.ts';
import type { Kind } from './kind.ts';

interface ReviewProps<E extends Entity> {
  kind: Kind<E>;
  draft: ReturnType<typeof useDraft<E>>;
  onClose: () => void;
  onErrors: (errors: { property: string; errorMessage: string }[]) => void;
}

/** The one way in which an edit is stored: in words, asked of the server, and then sent as it was asked. */
export function Review<E extends Entity>({ kind, draft, onClose, onErrors }: ReviewProps<E>) {
  const { base, value, edits } = draft;
  const [once] = useState(randomID);
  const calls = base && edits ? requestsOf(kind, base, edits) : [];
  const request = calls.length > 0 ? together(calls, once) : undefined;
  const change = useChange(request);
  const { checked } = change;
  if (!base || !value || !request) return null;
  const title = `Review: ${titleOf(base)}`;
  if (checked.is === 'refused' && checked.problem.status === 412)
    return <Conflict kind={kind} draft={draft} title={title} onClose={onClose} />;
  const close = () => {
    if (checked.is === 'refused') onErrors(checked.problem.errors);
    onClose();
  };
  /** The draft is no longer needed. */
  const done = (what: string) => {
    draft.discard();
    onErrors([]);
    say(`${titleOf(base)} ${what}.`);
    onClose();
  };
  const aside = () => {
    putAside({ title: titleOf(base), calls });
    done('waits in the change set');
  };
  return (
    <ChangeSheet
      title={title}
      request={request}
      change={change}
      label="Save"
      byKeys
      asksWhy
      onStored={() => done('is stored')}
      onClose={close}
      ending={
        <Button look="link" icon="list" onClick={aside}>
          Put it into the change set instead
        </Button>
      }
    >
      <Differences list={differences(base, value)} />
    </ChangeSheet>
  );
}
