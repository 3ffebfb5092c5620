import { useState } from 'preact/hooks';
import { randomID, together } from '../api.ts';
import { differences } from '../compare.ts';
import type { Entity } from '../types.ts';
import { Button } from '../ui/button.tsx';
import { Sheet } from '../ui/sheet.tsx';
import { say } from '../ui/toast.tsx';
import { useShortcut } from '../use.ts';
import { titleOf } from '../words.ts';
import { putAside } from './change_set.ts';
import { useChange } from './check.ts';
import { Conflict } from './conflict.tsx';
import { Differences } from './differences.tsx';
import { requestsOf, type useDraft } from './draft.ts';
import type { Kind } from './kind.ts';
import { AsRequest, CheckedLine, Refused, SendButtons } from './send.tsx';

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
  const { checked, isStoring, store, again } = useChange(request);
  const save = async () => {
    const answer = await store();
    if (!answer || !base) return;
    draft.discard();
    say(`${titleOf(base)} is stored.`);
    onErrors([]);
    onClose();
  };
  useShortcut('Ctrl+Enter', save);
  if (!base || !value || !request) return null;
  const title = `Review: ${titleOf(base)}`;
  if (checked.is === 'refused' && checked.problem.status === 412)
    return <Conflict kind={kind} draft={draft} title={title} onClose={onClose} />;
  const close = () => {
    if (checked.is === 'refused') onErrors(checked.problem.errors);
    onClose();
  };
  const aside = () => {
    putAside({ title: titleOf(base), calls });
    draft.discard();
    say(`${titleOf(base)} waits in the change set.`);
    onClose();
  };
  return (
    <Sheet
      title={title}
      onClose={close}
      footer={
        <>
          <CheckedLine checked={checked} />
          <SendButtons
            checked={checked}
            isStoring={isStoring}
            label="Save"
            keys="Ctrl ⏎"
            onClose={close}
            onStore={save}
            onAgain={again}
          />
        </>
      }
    >
      <Differences list={differences(base, value)} />
      <Refused checked={checked} />
      <AsRequest request={request} />
      <Button look="link" icon="list" onClick={aside}>
        Put it into the change set instead
      </Button>
    </Sheet>
  );
}
